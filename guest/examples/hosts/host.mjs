// A host in Node: asks a policy about JSON lines on standard input and answers as `ostler policy check --batch` does.
//
// usage: npx jco transpile POLICY.wasm -o FOLDER --instantiation sync
//        echo '{"type": "module"}' > FOLDER/package.json
//        node host.mjs FOLDER

import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const folder = resolve(process.argv[2]);
const require = createRequire(join(folder, 'x.js'));
const [name] = readdirSync(folder).filter((file) => file.endsWith('.js'));
const { instantiate } = await import(pathToFileURL(join(folder, name)));
const shim = (module) => import(pathToFileURL(require.resolve(`@bytecodealliance/preview2-shim/${module}`)));
const [cli, clocks, filesystem, io, random] = await Promise.all(
  ['cli', 'clocks', 'filesystem', 'io', 'random'].map(shim),
);

// Nothing but what a standard library pulls in: no files are opened, no variables are set.
const imports = {};
const add = (prefix, module) => {
  for (const [key, value] of Object.entries(module)) {
    const dashed = key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    imports[`wasi:${prefix}/${dashed}`] = value;
  }
};
add('cli', cli);
add('clocks', clocks);
add('filesystem', filesystem);
add('io', io);
add('random', random);
imports['wasi:cli/environment'] = { getEnvironment: () => [], getArguments: () => [], initialCwd: () => undefined };

const modules = new Map();
const getCoreModule = (path) => {
  if (!modules.has(path)) modules.set(path, new WebAssembly.Module(readFileSync(join(folder, path))));
  return modules.get(path);
};
// A fresh instance for each question: a policy must not rely on being asked twice.
const fresh = () => instantiate(getCoreModule, imports).policy;

const KNOWN = { bash: '/bin/bash', powershell: 'pwsh', cmd: 'cmd.exe' };
const shell = (word) => {
  if (['auto', 'direct', '', undefined].includes(word)) return { tag: 'auto' };
  if (word === 'shell') return { tag: 'shell' };
  return { tag: 'named', val: KNOWN[word] ?? word };
};

const ask = (question) => {
  const reply = { invocation: null, findings: [], opaque: [], verdict: null };
  let dialect = 'bash';
  try {
    const review = fresh().review({
      command: question.command,
      shell: shell(question.shell),
      os: question.os ?? 'linux',
      shells: [{ dialect: 'bash', program: '/bin/bash' }],
      cwd: question.cwd ?? '/',
      extra: [],
    });
    const { argv, autoShell } = review.invocation;
    dialect = review.invocation.dialect;
    const span = (it) => [it.span.start, it.span.end];
    reply.invocation = { argv, dialect, auto_shell: autoShell };
    reply.findings = review.findings.map((it) => ({ ...it, span: span(it) }));
    reply.opaque = review.opaque.map((it) => ({ ...it, span: span(it) }));
    reply.verdict = review.verdict.tag;
    if (review.verdict.val !== undefined) reply.reason = review.verdict.val;
  } catch (error) {
    // A result's error is thrown; a trap is an error of another kind.
    if (error.payload === undefined) throw error;
    reply.error = true;
  }
  reply.classification = null;
  if (question.exit_code !== undefined) {
    const code = question.exit_code;
    // Where codes are 32 bits wide, a negative one is a code.
    const isSignal = code < 0 && !['powershell', 'cmd'].includes(dialect);
    const it = fresh().classify(question.command, {
      exitCode: isSignal ? undefined : code,
      signal: isSignal ? -code : undefined,
      timedOut: question.timed_out ?? false,
      dialect,
      stderrExcerpt: question.stderr ?? '',
      stageStatuses: undefined,
      extra: [],
    });
    reply.classification = { status: it.status, message: it.message ?? null, rule: it.rule };
  }
  return reply;
};

for (const line of readFileSync(0, 'utf8').split('\n')) {
  if (line.trim()) console.log(JSON.stringify(ask(JSON.parse(line))));
}
