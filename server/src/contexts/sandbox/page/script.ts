/** The page's only script: copy buttons. Without JavaScript the buttons stay hidden and the texts can be selected. */
export const script = `
for (const button of document.querySelectorAll('[data-copies]')) {
  const label = button.textContent;
  button.hidden = false;
  button.addEventListener('click', async () => {
    const source = document.getElementById(button.dataset.copies);
    getSelection().selectAllChildren(source);
    try {
      await navigator.clipboard.writeText(source.textContent);
    } catch {
      if (!document.execCommand('copy')) return;
    }
    button.textContent = button.dataset.done;
    setTimeout(() => { button.textContent = label; }, 2000);
  });
}
`;
