// Texts that people read, marked with _(): `scripts/make words` collects them. English is the text itself.

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

// --- what is the same in every language: names of people, phones, buttons and games, and what is to be typed ---

let names = []; // that may stand in a text, the longest first

// A name by itself: it has a direction of its own, and a browser that translates the page leaves it alone.
export function named(name, className = "") {
  const made = kept(document.createElement("bdi"));
  made.className = className;
  made.textContent = name;
  return made;
}

export function kept(element) {
  element.setAttribute("translate", "no");
  return element;
}

// From now on these are names wherever they stand in a text.
export function know(...more) {
  if (more.every((name) => !name || names.includes(name))) return; // as with nearly all news
  names = Array.from(new Set([...names, ...more].filter(Boolean))).sort((a, b) => b.length - a.length);
}

const joins = (sign) => Boolean(sign) && (sign.toLowerCase() !== sign.toUpperCase() || /\d/.test(sign));

// A text as what is appended to an element: its names are elements.
export function parts(text) {
  text = `${text}`;
  for (const name of names) {
    const [first, last] = [joins(name[0]), joins(name[name.length - 1])];
    for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
      const end = at + name.length;
      if ((first && joins(text[at - 1])) || (last && joins(text[end]))) continue; // a part of a longer word
      return [...parts(text.slice(0, at)), named(name), ...parts(text.slice(end))];
    }
  }
  return text ? [text] : [];
}
