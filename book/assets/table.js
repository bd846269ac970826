// Reads a table of text in the page, a piece at a time, and counts what is in its columns. Nothing is sent.
globalThis.planTable = (() => {
  const MOST_BYTES = 100 * 2 ** 20, // of a file
    PIECE = 2 ** 20, // so many bytes are read before the page may do something else
    LONGEST = 10_000, // characters of a cell
    MOST_COLUMNS = 1000,
    MOST_DIFFERENT = 100_000; // texts of a column
  const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,2})?$/i;
  // In a table without commas between its cells, 2,5 is a number.
  const plain = (text, comma) => (comma ? text.replace(/^([+-]?\d*),(\d+)$/, "$1.$2") : text);
  // What pandas takes for missing, too, and the question mark of many public tables.
  const MISSING = new Set("? #N/A <NA> N/A NA NULL NaN None n/a nan null".split(" ").concat(""));

  class Refusal extends Error {}

  // How often each text occurs; of a column with very many numbers, the numbers.
  class Column {
    constructor(comma) {
      this.comma = comma;
    }

    found = new Map();
    recent = []; // what stood in the file, each with its count, at a place that its letters decide
    numbers = null;
    size = 0;

    // The count of the letters from start to end, or else their text: to make one takes longer than to compare.
    cell(text, letters, start, end, hash) {
      const place = hash & 1023,
        known = this.recent[place];
      if (known && known.letters.length === end - start) {
        let i = start;
        while (i < end && letters[i] === known.letters[i - start]) i++;
        if (i === end) return known.seen;
      }
      const cell = text.slice(start, end).trim(),
        seen = this.numbers ? null : this.found.get(cell);
      if (seen) this.recent[place] = { letters: letters.slice(start, end), seen };
      return seen ?? cell;
    }

    add(cell) {
      if (typeof cell !== "string") return cell.times++;
      if (this.numbers) return this.addNumber(cell);
      const seen = this.found.get(cell);
      if (seen) seen.times++;
      else if (this.found.set(cell, { times: 1 }).size > MOST_DIFFERENT) this.spread();
    }

    spread() {
      const found = this.found;
      this.recent = [];
      this.found = new Map([["", { times: 0 }]]);
      this.numbers = new Float64Array(2 * MOST_DIFFERENT);
      for (const [cell, { times }] of found) for (let i = 0; i < times; i++) this.addNumber(cell);
    }

    addNumber(cell) {
      const number = plain(cell, this.comma);
      if (!NUMBER.test(number)) {
        if (MISSING.has(cell)) this.found.get("").times++;
        else this.mixed = true;
        return;
      }
      if (this.size === this.numbers.length) {
        const longer = new Float64Array(2 * this.size);
        longer.set(this.numbers);
        this.numbers = longer;
      }
      this.numbers[this.size++] = Number(number);
    }
  }

  // Rows of a text that comes in pieces: quotation marks, both kinds of line ends, no row for an empty line.
  class Rows {
    rest = "";
    first = null; // cells of the first row, which may be names
    columns = [];
    count = 0; // rows below the first
    ragged = 0; // rows of another length, left out

    push(text, last) {
      if (text.includes("\0")) throw new Refusal("This is no text. A spreadsheet can be saved as CSV.");
      const all = [this.rest, text].join(""); // a sum of texts takes longer to read
      this.separator ??= separatorOf(all);
      this.letters = new Uint16Array(all.length + 1);
      for (let i = 0; i < all.length; i++) this.letters[i] = all.charCodeAt(i);
      let from = 0;
      for (let next; from < all.length && (next = this.row(all, from, last)) >= 0; from = next) this.take();
      this.rest = all.slice(from);
    }

    // Read the cells of the row that begins there, and say where the next one does; −1 where it does not end yet.
    row(text, from, last) {
      const { letters } = this,
        separator = this.separator.charCodeAt(0);
      this.cells = [];
      for (let i = from; ; i++) {
        while (letters[i] === 32) i++;
        const start = i;
        let cell = null;
        if (letters[i] === 34) {
          let end = text.indexOf('"', i + 1);
          while (end >= 0 && text[end + 1] === '"') end = text.indexOf('"', end + 2);
          this.check((end < 0 ? text.length : end) - start);
          if (end < 0 && last) throw new Refusal(`Row ${this.place()} has a quotation mark that is never closed.`);
          if (end < 0 || (end + 1 === text.length && !last)) return -1; // a second mark may come
          cell = text.slice(start + 1, end).replaceAll('""', '"');
          i = end + 1;
        }
        let code = letters[i],
          hash = 0;
        while (code !== separator && code !== 10 && code !== 13 && i < text.length) {
          hash = (Math.imul(hash, 31) + code) | 0;
          code = letters[++i];
        }
        this.check(i - start);
        if (i >= text.length && !last) return -1;
        const column = this.columns[this.cells.length];
        if (cell === null && column) cell = column.cell(text, letters, start, i, hash);
        else cell = (cell ?? text.slice(start, i)).trim();
        this.cells.push(cell);
        if (this.cells.length > MOST_COLUMNS) throw new Refusal(`The table has more than ${MOST_COLUMNS} columns.`);
        if (code !== separator || i >= text.length) return i + 1;
      }
    }

    check(length) {
      if (length <= LONGEST) return;
      const asked = "Is a quotation mark open, or are cells not separated by commas, semicolons or tabs?";
      throw new Refusal(`Row ${this.place()} has a cell of more than ${LONGEST} characters. ${asked}`);
    }

    place() {
      return this.first ? this.count + this.ragged + 2 : 1;
    }

    take() {
      const { cells, columns } = this;
      // An empty line, and what is between both letters of a line's end.
      if (cells.length === 1 && (cells[0] === "" || cells[0] === columns[0]?.found.get(""))) return;
      if (!this.first) {
        this.first = cells;
        this.columns = cells.map(() => new Column(this.separator !== ","));
      } else if (cells.length !== columns.length) {
        this.oddOne ??= `row ${this.place()} has ${cells.length}, row 1 has ${columns.length}`;
        this.ragged++;
      } else {
        for (let i = 0; i < columns.length; i++) columns[i].add(cells[i]);
        this.count++;
      }
    }
  }

  // What stands most often in the first line.
  function separatorOf(text) {
    const line = text.replace(/"[^"]*"/g, "x").match(/[^\r\n]+/)?.[0] ?? "";
    return [",", ";", "\t", "|"].reduce((best, one) => (line.split(one).length > line.split(best).length ? one : best));
  }

  // The first row has names if all are there, none a number, and none occurs again below or one stands above numbers
  // alone. Row numbers need no name.
  function hasNames({ first, columns }) {
    const isNumber = (cell, i) => NUMBER.test(plain(cell, columns[i].comma));
    const isName = (cell, i) => !MISSING.has(cell) && !isNumber(cell, i);
    const numbers = columns.some(
      ({ mixed, found }, i) =>
        !mixed && found.size && [...found.keys()].every((cell) => MISSING.has(cell) || isNumber(cell, i)),
    );
    return (
      first.every((cell, i) => isName(cell, i) || (cell === "" && i === 0 && first.length > 1)) &&
      (numbers || first.every((cell, i) => !columns[i].found.has(cell)))
    );
  }

  // A name that has been is numbered and a missing one replaced, as pandas does it.
  function numbered(first) {
    const found = new Set();
    for (const name of first.map((cell, i) => cell || `Unnamed: ${i}`)) {
      let one = name;
      for (let i = 1; found.has(one) || (one !== name && first.includes(one)); i++) one = `${name}.${i}`;
      found.add(one);
    }
    return [...found];
  }

  // Reads a file or a Blob; `tell` hears which part is done, and says whether to go on.
  async function read(blob, tell) {
    if (blob.size > MOST_BYTES) throw new Refusal("The file has more than 100 MB. Take some of its rows or columns.");
    for (const code of ["utf-8", "windows-1252"]) {
      const decoder = new TextDecoder(code),
        rows = new Rows();
      for (let from = 0; ; from += PIECE) {
        if (!tell(blob.size ? from / blob.size : 1)) return null;
        const last = from + PIECE >= blob.size;
        const text = decoder.decode(await blob.slice(from, from + PIECE).arrayBuffer(), { stream: !last });
        if (code === "utf-8" && text.includes("\uFFFD")) break;
        rows.push(text, last);
        if (!last) continue;
        if (!rows.first) throw new Refusal("There are no rows.");
        if (rows.ragged > rows.count) throw new Refusal(`Rows have different numbers of cells: ${rows.oddOne}.`);
        return Object.assign(rows, { code, names: numbered(rows.first), hasNames: hasNames(rows) });
      }
    }
  }

  // Answers of a column, by the rules of ldp_core.plan.rehearse; with the first row's cell if that is no name.
  const OWN = "Most people give an answer of their own, like a name, a date or a number such as 1.234,5. Take groups.";
  const MOST = 24,
    RARE = 1000;

  function answers(column, first) {
    const texts = new Map(),
      add = (into, key, times) => into.set(key, (into.get(key) ?? 0) + times);
    for (const [cell, { times }] of column.found) if (times) add(texts, MISSING.has(cell) ? "" : cell, times);
    if (first !== null) add(texts, MISSING.has(first) ? "" : first, 1);
    const missing = texts.get("") ?? 0;
    texts.delete("");
    const isNumber = !column.mixed && [...texts.keys()].every((text) => NUMBER.test(plain(text, column.comma)));
    if (column.numbers && !isNumber) throw new Refusal(`It has more than ${MOST_DIFFERENT} different texts.`);
    let counts = new Map(),
      said = "",
      range = null;
    if (!isNumber) [counts, said] = common(new Map([...texts].sort(([a], [b]) => (a < b ? -1 : 1))));
    else {
      const each = (act) => {
        for (const [text, times] of texts) act(Number(plain(text, column.comma)), times);
        for (let i = 0; i < column.size; i++) act(column.numbers[i], 1);
      };
      each((number, times) => counts.size > MOST || add(counts, number, times));
      if (counts.size > MOST) [counts, said, range] = ranges(each);
      else [counts, said] = common(new Map([...counts].sort(([a], [b]) => a - b).map(([x, t]) => [String(x), t])));
    }
    if (missing) add(counts, "missing", missing);
    if (!counts.size) throw new Refusal("There are no rows below the names.");
    if (counts.size < 2) throw new Refusal("All people give one answer.");
    const comma = isNumber && [...texts.keys()].some((text) => text.includes(","));
    return { names: [...counts.keys()], counts: [...counts.values()], said, isNumber, comma, range };
  }

  function common(counts) {
    const least = Math.max(2, [...counts.values()].reduce((sum, times) => sum + times, 0) / RARE);
    const commonest = [...counts].sort(([, a], [, b]) => b - a).slice(0, MOST);
    const kept = new Set(commonest.filter(([, times]) => times >= least).map(([text]) => text));
    const found = new Map(),
      last = { other: 0, missing: 0 };
    let [all, few] = [0, 0];
    for (const [text, times] of counts) [all, few] = [all + times, few + (kept.has(text) ? 0 : times)];
    if (2 * few > all) throw new Refusal(OWN);
    for (const [text, times] of counts) {
      if (!kept.has(text)) last.other += times;
      else if (text in last) last[text] += times;
      else found.set(text, times);
    }
    for (const [name, times] of Object.entries(last)) if (times) found.set(name, times);
    const rare = counts.size - kept.size;
    return [found, rare ? `, and ${rare} rare ${rare === 1 ? "one" : "ones"} became “other”` : ""];
  }

  // The smallest width of 1, 2 or 5 times a power of ten that needs at most 24 ranges between its multiples.
  function ranges(each) {
    let low = Infinity,
      high = -Infinity;
    each((number) => {
      low = Math.min(low, number);
      high = Math.max(high, number);
    });
    const times10 = (digit, power) => Number(`${digit}e${power}`);
    const fits = (one) => one > 0 && Math.floor(high / one) - Math.floor(low / one) < MOST;
    let power = Math.floor(Math.log10((high - low) / MOST)),
      digit;
    while (!(digit = [1, 2, 5].find((one) => fits(times10(one, power))))) power++;
    const width = times10(digit, power),
      first = Math.floor(low / width),
      bins = Array(Math.floor(high / width) - first + 1).fill(0);
    each((number, times) => {
      bins[Math.floor(number / width) - first] += times;
    });
    const end = (i) => times10((first + i) * digit, power);
    const found = new Map(bins.map((times, i) => [`${end(i)} to ${end(i + 1)}`, times]));
    return [
      found,
      `, ranges of ${width}, from ${end(0)} to ${end(bins.length)}`,
      [end(0), end(bins.length), bins.length],
    ];
  }

  return { read, answers, Refusal };
})();
