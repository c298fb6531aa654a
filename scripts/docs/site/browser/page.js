/*
 * What a script adds to the pages of the reference: buttons that copy code, the search, and a menu that stands at the current
 * page. Everything else works without it.
 */

import { copy } from './copy.js';

/** A new element with a text. */
function element(name, text = '', attributes = {}) {
  const one = Object.assign(document.createElement(name), attributes);
  one.textContent = text;
  return one;
}

for (const block of document.querySelectorAll('main pre')) {
  const text = block.textContent;
  const button = element('button', 'Copy', { type: 'button', className: 'copy' });
  button.addEventListener('click', async () => {
    await copy(text);
    button.textContent = 'Copied';
    setTimeout(() => (button.textContent = 'Copy'), 2000);
  });
  block.append(button);
}

// The menu has a scroll bar of its own where it stands beside the text.
const menu = document.querySelector('#menu');
const current = menu?.querySelector('[aria-current]');
if (current) menu.scrollTop = current.offsetTop - menu.offsetTop - menu.clientHeight / 3;

/** The entries that have every word: those with a word in their title first. */
function found(entries, query) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const points = ([address, title, beside, others]) => {
    const near = `${title} ${beside} ${address}`.toLowerCase();
    const isThere = words.every((word) => near.includes(word) || others.includes(word));
    return isThere
      ? 1 +
          words.filter((word) => title.toLowerCase().includes(word)).length * 2 +
          (near.includes(query.trim().toLowerCase()) ? 1 : 0)
      : 0;
  };
  return entries
    .map((entry) => [points(entry), entry])
    .filter(([value]) => value > 0)
    .sort(([a], [b]) => b - a)
    .slice(0, 12)
    .map(([, entry]) => entry);
}

const main = document.querySelector('main[data-search]');
if (main) {
  const box = element('div', '', { className: 'search' });
  const input = element('input', '', { type: 'search', placeholder: 'Search (press /)', ariaLabel: 'Search' });
  const list = element('ul');
  box.append(input, list);
  main.prepend(box);
  let entries;
  const load = () => (entries ??= fetch(main.dataset.search).then((response) => response.json()));
  const show = async () => {
    const results = found(await load(), input.value);
    list.replaceChildren(
      ...results.map(([address, title, beside]) => {
        const item = element('li');
        const link = item.appendChild(element('a', title, { href: address }));
        if (beside) link.append(element('small', beside));
        return item;
      }),
    );
  };
  input.addEventListener('focus', load);
  input.addEventListener('input', show);
  box.addEventListener('keydown', (event) => {
    const links = [input, ...list.querySelectorAll('a')];
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      event.preventDefault();
      links[Math.max(0, links.indexOf(document.activeElement) + step)]?.focus();
    }
    if (event.key === 'Enter' && document.activeElement === input) links[1]?.click();
    if (event.key === 'Escape') list.replaceChildren();
  });
  addEventListener('keydown', (event) => {
    if (event.key !== '/' || document.activeElement === input) return;
    event.preventDefault();
    input.focus();
  });
}
