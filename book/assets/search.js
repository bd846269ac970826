// "Theorem 5.3" finds Theorem 5.3: Sphinx's search leaves numbers out, and its index has these titles from tools/site/numbering.py.
{
  const search = Search._performSearch;
  Search._performSearch = (query, ...terms) => {
    const { alltitles, docnames, filenames, titles } = Search._index;
    const label = `${query.trim().replace(/\s+/g, " ").toLowerCase()} (`;
    const found = Object.entries(alltitles).filter(
      ([title]) => /\d/.test(label) && title.toLowerCase().startsWith(label),
    );
    const first = found.flatMap(([title, places]) =>
      places.map(([page, id]) => [
        docnames[page],
        `${titles[page]} > ${title}`,
        `#${id}`,
        null,
        Infinity,
        filenames[page],
      ]),
    );
    return [...search(query, ...terms), ...first]; // the last is shown first
  };
}
