// Texts that people read, marked with _(): `scripts/make-words` collects them. English is the text itself.

const language = "en";
const translations = {};

// A text, translated; with values a template, in which they stand in {braces}.
export function _(text, values = {}) {
  return (translations[text] || text).replace(/\{(\w+)\}/g, (field, name) => (name in values ? values[name] : field));
}

// The texts and labels of the HTML itself, all of which are collected.
export function translatePage() {
  document.documentElement.lang = language;
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode.data.trim();
    if (text in translations) texts.currentNode.data = translations[text];
  }
  for (const name of ["aria-label", "alt"]) {
    for (const labelled of document.querySelectorAll(`[${name}]`)) {
      const text = labelled.getAttribute(name);
      if (text in translations) labelled.setAttribute(name, translations[text]);
    }
  }
}
