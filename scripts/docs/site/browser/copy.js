/** Puts a text on the clipboard. */
export async function copy(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  // Browsers have no clipboard for pages that are not served over HTTPS.
  const field = document.body.appendChild(document.createElement('textarea'));
  field.value = text;
  field.select();
  document.execCommand('copy');
  field.remove();
}
