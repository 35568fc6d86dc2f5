import { useData } from 'vitepress';
import { computed } from 'vue';
import type { ThemeConfig } from '../config.ts';

const homeOf = (locale: string): string => (locale === 'root' ? '/' : `/${locale}/`);

/**
 * Returns the links of the language switch, in place of VitePress's own: on a page that exists in English only, they lead
 * to the home page of the other language.
 */
export function useLangs({ correspondingLink = false } = {}) {
  const { site, localeIndex, page, theme, hash } = useData<ThemeConfig>();
  const currentLang = computed(() => ({
    label: site.value.locales[localeIndex.value]?.label,
    link: homeOf(localeIndex.value),
  }));
  const localeLinks = computed(() => {
    const path = page.value.relativePath.slice(currentLang.value.link.length - 1);
    const isLinked = correspondingLink && theme.value.translated.includes(path);
    const address = path.replace(/(^|\/)index\.md$/, '$1').replace(/\.md$/, '.html') + hash.value;
    return Object.entries(site.value.locales)
      .filter(([locale]) => locale !== localeIndex.value)
      .map(([locale, { label }]) => ({ text: label, link: homeOf(locale) + (isLinked ? address : '') }));
  });
  return { currentLang, localeLinks };
}
