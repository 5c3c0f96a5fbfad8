// A policy of an own house: runs everything in bash, warns of tables that are dropped, refuses what its settings name.

const RULE = {
  id: 'house.drop-table',
  title: 'A table is dropped',
  severity: 'danger',
  example: "psql -c 'DROP TABLE users'",
  dialect: 'bash',
  counterExample: "psql -c 'SELECT 1'",
};

// Texts that are refused; a fresh instance answers each question, so this is set anew each time.
let refused = [];

// ASCII letters only, so that places in the text stay what they are.
const lower = (text) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

// Places are counted in bytes of UTF-8, not in UTF-16 units.
const utf8Length = (text) => {
  let bytes = 0;
  for (const letter of text) {
    const code = letter.codePointAt(0);
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return bytes;
};

const span = (text, start, length) => {
  const first = utf8Length(text.slice(0, start));
  return { start: first, end: first + utf8Length(text.slice(start, start + length)) };
};

export const policy = {
  describe() {
    return { name: 'house', version: '0.1.0', rules: [RULE] };
  },

  configure(settings) {
    let given;
    try {
      given = JSON.parse(settings);
    } catch {
      throw 'the settings are not JSON';
    }
    const isObject = typeof given === 'object' && given !== null && !Array.isArray(given);
    if (!isObject || Object.keys(given).some((key) => key !== 'refuse')) {
      throw 'the only setting is refuse, a list of texts';
    }
    const texts = given.refuse ?? [];
    if (!Array.isArray(texts) || !texts.every((it) => typeof it === 'string')) {
      throw 'refuse: expected a list of texts';
    }
    refused = texts;
  },

  review(request) {
    const text = request.command;
    if (!text.replace(/[ \t\r\n]/g, '')) throw { tag: 'empty-command' };
    if (text.includes('\0')) throw { tag: 'nul-character' };
    const bash = request.shells.find((it) => it.dialect === 'bash');
    if (!bash) throw { tag: 'no-shell', val: 'bash' };
    const findings = [];
    const at = lower(text).indexOf('drop table');
    if (at >= 0) {
      const message = 'drops a table with all its rows';
      findings.push({ rule: RULE.id, severity: RULE.severity, message, span: span(text, at, 10) });
    }
    const phrase = refused.find((it) => text.includes(it));
    return {
      invocation: { argv: [bash.program, '-c', text], dialect: 'bash', autoShell: true },
      findings,
      opaque: [],
      verdict:
        phrase === undefined
          ? { tag: 'proceed' }
          : { tag: 'refuse', val: `the house does not allow ${phrase}` },
      extra: [],
    };
  },

  classify(command, ending) {
    const meaning = (status, message, rule) => ({ status, message, rule, extra: [] });
    if (ending.timedOut) return meaning('error', 'timed out', 'house.timeout');
    if (ending.signal != null) {
      return meaning('signal', `ended by signal ${ending.signal}`, 'house.signal');
    }
    if (ending.exitCode === 0) return meaning('ok', undefined, 'house.zero');
    return meaning('error', `exit code ${ending.exitCode}`, 'house.exit');
  },
};
