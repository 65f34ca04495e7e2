// Just enough C++ to check house rules: blanks comments and literals, finds function bodies. Not a
// parser: it leans on how clang-format lays this project out, and knows no rule itself.

/** The text with comments and the contents of literals replaced by spaces; positions and lines stay. */
export function blank(text) {
  const token = new RegExp(
      [
        /\/\/[^\n]*/.source,
        /\/\*[^]*?\*\//.source,
        /R"([^(\s]*)\([^]*?\)\1"/.source,
        /"(?:\\[^]|[^"\\\n])*"/.source,
        /\b\d[\w.']*/.source, // before character literals: 1'000 holds a quote
        /'(?:\\[^]|[^'\\\n])*'/.source,
      ].join('|'),
      'g',
  );
  return text.replace(token, (match) => {
    if (/^\d/.test(match)) return match;
    const hollow = match.replace(/[^\n]/g, ' ');
    if (match.startsWith('/')) return hollow;
    return match[0] === 'R' ? `R"${hollow.slice(3)}"` : match[0] + hollow.slice(2) + match[0];
  });
}

export const line_of = (text, index) => text.slice(0, index).split('\n').length;

const kContainer = /(^|[\s>])(namespace|class|struct|union|enum)\b[^()=]*$|\bextern\s+"[^"]*"\s*$/;

// What opens at a `{` outside any function: 'container', 'function' or 'value' (an initialiser).
function kind_of(head) {
  const plain = head.replace(/\[\[[^\]]*\]\]|\b(__attribute__|alignas)\s*\(+[^)]*\)+/g, '')
                    .replace(/^\s*#.*$/gm, '')
                    .trim();
  if (kContainer.test(plain)) return 'container';
  if (!plain.includes('(')) return /\[[^\]]*\]$/.test(plain) && plain.includes('= [') ? 'function' : 'value';
  const in_member_list = /\)\s*(noexcept)?\s*:\s*[^:]/.test(plain);
  if (in_member_list) return /[)}]$/.test(plain) ? 'function' : 'value';
  return /(\)|\b(const|noexcept|override|final|consteval|constexpr|mutable)|&|->[^;{]*)$/.test(plain) ?
      'function' :
      'value';
}

function split_top_level(list) {
  let depth = 0;
  let count = list.trim() === '' ? 0 : 1;
  for (const char of list.replace(/->|<<|>>=|<=|>=/g, '  ')) {
    if ('(<[{'.includes(char))
      depth += 1;
    else if (')>]}'.includes(char))
      depth -= 1;
    else if (char === ',' && depth === 0)
      count += 1;
  }
  return count;
}

// The parameter list is the last top-level pair of parentheses that no keyword owns.
function parameters_of(head) {
  const own = head.replace(/\)\s*(noexcept)?\s*:\s*[^:][^]*$/, ')');
  let best = null;
  let depth = 0;
  let start = 0;
  for (let i = 0; i < own.length; i += 1) {
    if (own[i] === '(' && depth++ === 0) start = i;
    if (own[i] === ')' && --depth === 0) {
      const before = own.slice(0, start);
      if (!/\b(noexcept|requires|decltype|alignas|__attribute__|explicit)\s*$/.test(before)) {
        best = {
          name: /([\w~:]+|operator\S+)\s*$/.exec(before)?.[1] ?? 'lambda',
          list: own.slice(start + 1, i),
        };
      }
    }
  }
  return best ?? { name: 'lambda', list: '' };
}

/** Function definitions of blanked text: {name, parameters, line, lines, body_start, body_end}. */
export function functions(blanked) {
  const found = [];
  const open = []; // kinds of the blocks around; a body or a value swallows what is inside it
  let head_start = 0;
  let inside = 0; // depth below the outermost function or value
  for (let i = 0; i < blanked.length; i += 1) {
    const char = blanked[i];
    if (inside > 0) {
      if (char === '{') inside += 1;
      if (char === '}' && --inside === 0) {
        const block = open.pop();
        if (block.kind === 'function') {
          found.push({...block, lines: line_of(blanked, i) - block.line + 1, body_end: i });
          head_start = i + 1;
        }
      }
    } else if (char === '{') {
      const head = blanked.slice(head_start, i);
      const kind = kind_of(head);
      if (kind === 'container') {
        head_start = i + 1;
      } else {
        const { name, list } = parameters_of(head);
        const first = head_start + head.length - head.trimStart().length;
        open.push({
          kind,
          name,
          parameters: split_top_level(list),
          line: line_of(blanked, first),
          body_start: i,
        });
        inside = 1;
      }
    } else if (char === ';' || char === '}') {
      head_start = i + 1;
    } else if (char === ':' && /\b(public|private|protected)\s*$/.test(blanked.slice(head_start, i))) {
      head_start = i + 1;
    }
  }
  return found;
}
