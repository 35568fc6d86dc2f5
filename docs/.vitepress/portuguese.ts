import type { DefaultTheme, LocaleSpecificConfig } from 'vitepress';
import { portugueseSidebar } from './sidebar.ts';

/** Texts and navigation of the manual in Portuguese. */
export const portugueseLocale: LocaleSpecificConfig<DefaultTheme.Config> & { label: string } = {
  label: 'Português (Brasil)',
  lang: 'pt-BR',
  description: 'Manual da Disca, um serviço de voz pré-pago com click-to-call que você hospeda.',
  themeConfig: {
    nav: [
      { text: 'Início rápido', link: '/pt-BR/quick-start' },
      { text: 'Guias', link: '/pt-BR/guides/first-call' },
      { text: 'Erros', link: '/pt-BR/reference/errors' },
      { text: 'API (em inglês)', link: '/reference/api/' },
    ],
    sidebar: portugueseSidebar,
    outline: { level: [2, 3], label: 'Nesta página' },
    docFooter: { prev: 'Página anterior', next: 'Próxima página' },
    returnToTopLabel: 'Voltar ao topo',
    sidebarMenuLabel: 'Menu',
    langMenuLabel: 'Mudar idioma',
    skipToContentLabel: 'Ir para o conteúdo',
    darkModeSwitchLabel: 'Tema',
    lightModeSwitchTitle: 'Usar o tema claro',
    darkModeSwitchTitle: 'Usar o tema escuro',
    notFound: {
      title: 'Página não encontrada',
      quote: 'O endereço pode estar incorreto ou a página foi removida.',
      linkText: 'Ir para o início',
      linkLabel: 'Ir para o início do manual',
    },
  },
};

export const portugueseSearch = {
  translations: {
    button: { buttonText: 'Buscar', buttonAriaLabel: 'Buscar no manual' },
    modal: {
      displayDetails: 'Mostrar detalhes',
      resetButtonTitle: 'Limpar a busca',
      backButtonTitle: 'Fechar a busca',
      noResultsText: 'Nenhum resultado para',
      footer: {
        selectText: 'para abrir',
        selectKeyAriaLabel: 'Enter',
        navigateText: 'para navegar',
        navigateUpKeyAriaLabel: 'Seta para cima',
        navigateDownKeyAriaLabel: 'Seta para baixo',
        closeText: 'para fechar',
        closeKeyAriaLabel: 'Esc',
      },
    },
  },
};
