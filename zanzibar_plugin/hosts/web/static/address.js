// The page's address: `/?table=ID` is the invitation to a table, and nothing else is kept in it.

/** The table the address names, or "". */
export function tableInAddress() {
  return new URLSearchParams(location.search).get("table") ?? "";
}

/** Have the address name a table (or none), so that Back and loading anew do what they say. */
export function nameTable(table) {
  if (tableInAddress() === table) return;
  const asked = new URLSearchParams(location.search);
  if (table) asked.set("table", table);
  else asked.delete("table");
  history.pushState(null, "", `${location.pathname}${String(asked) ? `?${asked}` : ""}`);
}

/** Load the page in another language; false if it is in that language already. */
export function changeLanguage(language, now) {
  const asked = new URLSearchParams(location.search);
  if (language === now || asked.get("lang") === language) return false;
  asked.set("lang", language);
  location.replace(`${location.pathname}?${asked}`);
  return true;
}

/** What to give to a friend. */
export function invitation(table) {
  return `${location.origin}${location.pathname}?table=${encodeURIComponent(table)}`;
}
