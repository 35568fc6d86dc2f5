import type { Page } from 'playwright-core';

export const widths = [360, 768, 1440] as const;

/** Resizes the viewport, to the height of a device by default, and waits until the layout is stable. */
export async function resize(page: Page, width: number, height = width < 400 ? 740 : 900): Promise<void> {
  await page.setViewportSize({ width, height });
  await page.evaluate(waitForStableLayout);
}

/** Runs in the page. Waits until no element has moved for some frames. */
async function waitForStableLayout(): Promise<void> {
  const [stillFrames, maxFrames] = [4, 120];
  let before = '';
  for (let frame = 0, still = 0; frame < maxFrames && still < stillFrames; frame += 1) {
    await new Promise((resolve) => requestAnimationFrame(resolve));
    const boxes = [...document.body.querySelectorAll('*')].map((each) => each.getBoundingClientRect());
    const now = boxes.map(({ x, y, width, height }) => x + y + width + height).join();
    still = now === before ? still + 1 : 0;
    before = now;
  }
}

/** Returns visible texts that are clipped, outside the viewport, or overlapping. */
export async function findIllegibleTexts(page: Page): Promise<string[]> {
  return await page.evaluate(() => {
    const shown = (text: string): string => text.trim().replaceAll(/\s+/g, ' ').slice(0, 60);
    const faults: string[] = [];
    const root = document.scrollingElement ?? document.body;
    if (root.scrollWidth > root.clientWidth + 1)
      faults.push(`the page is ${root.scrollWidth} px wide in a viewport of ${root.clientWidth} px`);

    const styleOf = (element: Element) => getComputedStyle(element);
    const boxOf = (element: Element) => element.getBoundingClientRect();
    const ancestors = (element: Element): Element[] => {
      const result: Element[] = [];
      for (let each = element.parentElement; each; each = each.parentElement) result.push(each);
      return result;
    };
    const isHidden = (element: Element): boolean =>
      !element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) ||
      [element, ...ancestors(element)].some(
        (each) =>
          each.getAttribute('aria-hidden') === 'true' ||
          // Texts for screen readers only have a size of one pixel.
          (each.clientWidth <= 1 && each.clientHeight <= 1 && styleOf(each).overflow === 'hidden'),
      );
    const floats = (element: Element): Element | undefined =>
      [element, ...ancestors(element)].find((each) => /fixed|sticky|absolute/.test(styleOf(each).position));

    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const texts: {
      text: string;
      box: Pick<DOMRect, 'left' | 'top' | 'right' | 'bottom'>;
      element: Element;
      layer: Element | undefined;
    }[] = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node.parentElement;
      if (!element || !node.textContent?.trim() || /^(SCRIPT|STYLE|OPTION)$/.test(element.tagName)) continue;
      if (isHidden(element)) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const text = shown(node.textContent);
      const layer = floats(element);
      const scrollers = [element, ...ancestors(element)];
      const clip = scrollers.find((each) => /hidden|clip/.test(styleOf(each).overflowX));
      const clips = scrollers.filter((each) => styleOf(each).overflowX !== 'visible').map(boxOf);
      for (const rect of range.getClientRects()) {
        const box = {
          left: Math.max(rect.left, ...clips.map(({ left }) => left)),
          top: Math.max(rect.top, ...clips.map(({ top }) => top)),
          right: Math.min(rect.right, ...clips.map(({ right }) => right)),
          bottom: Math.min(rect.bottom, ...clips.map(({ bottom }) => bottom)),
        };
        if (box.right - box.left > 1 && box.bottom > box.top) texts.push({ text, box, element, layer });
      }

      const scrolls = scrollers.find((each) => /auto|scroll/.test(styleOf(each).overflowX));
      const right = Math.max(...[...range.getClientRects()].map((box) => box.right));
      const left = Math.min(...[...range.getClientRects()].map((box) => box.left));
      // A truncated text must have a title with the full text.
      const hasTitle = scrollers.some((each) => each.hasAttribute('title'));
      if (clip && clip !== document.documentElement && clip !== document.body && !hasTitle) {
        const edge = clip.getBoundingClientRect();
        if (right > edge.right + 1 || left < edge.left - 1) faults.push(`cut: ${text}`);
      }
      if (!scrolls && !hasTitle && (right > innerWidth + 1 || left < -1))
        faults.push(`outside the viewport: ${text}`);
    }
    for (const [index, one] of texts.entries()) {
      for (const other of texts.slice(index + 1)) {
        if (one.element === other.element || one.layer !== other.layer) continue;
        const width = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
        const height = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top);
        if (width > 2 && height > 4) faults.push(`overlap: ${one.text} / ${other.text}`);
      }
    }
    return [...new Set(faults)];
  });
}

const minTargetPx = 44;

/** Returns the controls that take touches in less than 44 × 44 px. */
export async function findSmallTargets(page: Page): Promise<string[]> {
  return await page.evaluate((minPx) => {
    const controls = document.querySelectorAll<HTMLElement>(
      'button, summary, select, textarea, input:not([type=hidden]), [role=tab], [role=option]',
    );
    const isShown = (element: Element): boolean =>
      element.checkVisibility({ visibilityProperty: true }) && element.getBoundingClientRect().width > 1;
    /** The size of an element or of the area around it that takes its touches. */
    const sizeOf = (element: Element): [width: number, height: number] => {
      const { width, height } = element.getBoundingClientRect();
      const around = getComputedStyle(element, '::after');
      const isAround = around.position === 'absolute' && around.content !== 'none';
      const area = isAround ? [Number.parseFloat(around.width), Number.parseFloat(around.height)] : [];
      return [Math.max(width, area[0] || 0), Math.max(height, area[1] || 0)];
    };
    return [...controls].filter(isShown).flatMap((control) => {
      const labels = control instanceof HTMLInputElement ? [...(control.labels ?? [])] : [];
      const frame = control.closest('.mantine-Input-wrapper');
      const sizes = [control, ...labels, ...(frame ? [frame] : [])].map(sizeOf);
      if (sizes.some(([width, height]) => width >= minPx - 0.5 && height >= minPx - 0.5)) return [];
      const name = control.getAttribute('aria-label') ?? control.textContent?.trim().slice(0, 40);
      const size = sizes.map((each) => each.map(Math.round).join(' × ')).join(', ');
      return [
        `small: ${control.tagName.toLowerCase()} “${name || control.getAttribute('name')}” takes touches in ${size} px`,
      ];
    });
  }, minTargetPx);
}
