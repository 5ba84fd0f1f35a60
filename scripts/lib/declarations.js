// The declarations of the library as plain interfaces: types that zod infers are written out, with the comments of their schemas; options have
// the help of their table.
import { join, relative } from 'node:path';
import ts from 'typescript';
import { root, workspaces } from './workspaces.js';

/** Files that declare options, whose comments are their help. */
const optionFiles = /\/core\/deadheat\/src\/(?:settings|config)\//;

/** Fewest keys that two types must share so that one is written by the name of the other. */
const leastShared = 8;

/** Most words of a union; a longer list is written as `string`, and its comment names the page that has it. */
const mostWords = 60;

/** Files of the workspaces whose aliases and interfaces keep their names; all other types are written out where they are used. */
const isOwn = (file) =>
  file !== undefined && workspaces.some(({ folder }) => file.fileName.startsWith(join(folder, 'src/')));

/** A program over the sources of all workspaces, in which packages stand for their sources. */
function createProgram(entry) {
  const paths = {};
  for (const { folder, manifest } of workspaces) {
    for (const [subpath, target] of Object.entries(manifest.exports ?? {})) {
      if (target.types === undefined) continue;
      const source = target.types.replace('./dist/', './src/').replace(/\.d\.ts$/, '.ts');
      paths[join(manifest.name, subpath)] = [join(folder, source)];
    }
  }
  const { config } = ts.readConfigFile(join(root, 'tsconfig.base.json'), (name) => ts.sys.readFile(name));
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root);
  const own = { paths, composite: false, declaration: false, declarationMap: false, isolatedDeclarations: false };
  return ts.createProgram([entry], {
    ...options,
    ...own,
    noEmit: true,
    allowImportingTsExtensions: true,
    types: ['node'],
  });
}

/**
 * The text of a declaration file with everything that a module exports.
 *
 * @param entry path of the module
 * @param helpOf the comment of an option by its key and the key around it, which is '' on the outermost level; `undefined` = it has none
 */
export function declarationsOf(entry, helpOf) {
  const program = createProgram(entry);
  const checker = program.getTypeChecker();
  const written = new Map();
  const queue = [];

  const named = new Map();
  const unions = [];
  for (const file of program.getSourceFiles().filter(isOwn)) {
    for (const node of file.statements) {
      const isExported = node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
      if (!isExported || !ts.isTypeAliasDeclaration(node) || node.typeParameters !== undefined) continue;
      const type = checker.getTypeAtLocation(node.name);
      const symbol = checker.getSymbolAtLocation(node.name);
      const isKnown = (own) => own.size === type.types.length && type.types.every((one) => own.has(one));
      if (type.isUnion() && !unions.some(({ members: own }) => isKnown(own)))
        unions.push({ members: new Set(type.types), symbol });
      if (!named.has(type)) named.set(type, symbol);
    }
  }
  unions.sort((one, other) => other.members.size - one.members.size);

  /** The kinds of values of an object type by its keys. */
  const kindsOf = (type) =>
    new Map(
      checker.getPropertiesOfType(type).map((symbol) => {
        const isOptional = (symbol.flags & ts.SymbolFlags.Optional) !== 0;
        const kind = checker
          .typeToString(checker.getTypeOfSymbol(symbol), undefined, ts.TypeFormatFlags.NoTruncation)
          .replace(/ \| undefined$/, '');
        return [symbol.name, { kind, isOptional }];
      }),
    );
  const large = [...named]
    .filter(([, symbol]) => symbol.declarations[0].getSourceFile().fileName.includes('/core/model/src/'))
    .filter(([type]) => type.flags & ts.TypeFlags.Object && checker.getPropertiesOfType(type).length >= leastShared)
    .map(([type, symbol]) => ({ type, symbol, kinds: null }));

  /** A declared type that has most of the keys of an object type: all of it and more keys, a part of it, or all of it made optional. */
  function likeness(type) {
    if (checker.getPropertiesOfType(type).length < leastShared) return null;
    const own = kindsOf(type);
    for (const candidate of large) {
      if (candidate.type === type) continue;
      candidate.kinds ??= kindsOf(candidate.type);
      const keys = [...candidate.kinds.keys()];
      const shared = keys.filter((key) => own.get(key)?.kind === candidate.kinds.get(key).kind);
      if (shared.length < leastShared) continue;
      const absent = keys.filter((key) => !shared.includes(key));
      const isSame = shared.every((key) => own.get(key).isOptional === candidate.kinds.get(key).isOptional);
      const { symbol } = candidate;
      if (isSame && absent.length === 0) return { base: refer(symbol), keys };
      if (own.size > shared.length) continue;
      const omitted = absent.map((key) => `'${key}'`).join(' | ');
      if (isSame && absent.length < 4) return { whole: `Omit<${refer(symbol)}, ${omitted}>` };
      if (absent.length === 0 && shared.every((key) => own.get(key).isOptional))
        return { whole: `Partial<${refer(symbol)}>` };
    }
    return null;
  }

  const names = new Map();
  /** The name under which a declaration of the workspaces is written. */
  function refer(symbol) {
    const known = names.get(symbol);
    if (known !== undefined) return known;
    const taken = new Set(names.values());
    let name = symbol.name;
    while (taken.has(name)) name += '_';
    names.set(symbol, name);
    queue.push(symbol);
    return name;
  }

  /** The schema that an alias is inferred from; the comment is there. */
  const schemaOf = (symbol) => {
    const node = symbol.declarations?.[0];
    const query = node !== undefined && ts.isTypeAliasDeclaration(node) && /<typeof (\w+)>/.exec(node.type.getText());
    return query ? (checker.resolveName(query[1], node, ts.SymbolFlags.Value, false) ?? symbol) : symbol;
  };
  const documentationOf = (symbol) => ts.displayPartsToString(symbol.getDocumentationComment(checker)).trim();

  const isOption = ({ name, declarations }) =>
    name === 'A' ||
    name === 'B' ||
    // A key that is spelt anew has no declaration.
    (declarations ?? []).every((node) => optionFiles.test(node.getSourceFile().fileName));

  const commentOf = (symbol, around) => {
    const text = documentationOf(symbol) || documentationOf(schemaOf(symbol));
    const tags = symbol
      .getJsDocTags(checker)
      .map(({ name, text: parts }) => `@${name} ${ts.displayPartsToString(parts)}`.trim());
    const whole = [
      text === '' && isOption(symbol) ? (helpOf(symbol.name, around) ?? '') : text,
      ...(tags.length === 0 ? [] : ['']),
      ...tags,
    ];
    const lines = whole.join('\n').trim().replaceAll('*/', '*\\/').split('\n');
    if (lines.length === 1) return lines[0] === '' ? '' : `/** ${lines[0]} */\n`;
    return `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join('\n')}\n */\n`;
  };

  const keyText = (name) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name));

  function members(type, { around = '', only = () => true } = {}) {
    const lines = [];
    for (const call of type.getCallSignatures()) lines.push(`${signature(call)};`);
    for (const { keyType, type: value, isReadonly } of checker.getIndexInfosOfType(type)) {
      lines.push(`${isReadonly ? 'readonly ' : ''}[name: ${text(keyType)}]: ${text(value, around)};`);
    }
    for (const symbol of checker.getPropertiesOfType(type).filter(only)) {
      const isOptional = (symbol.flags & ts.SymbolFlags.Optional) !== 0;
      const readonly =
        ts.getCheckFlags?.(symbol) & ts.CheckFlags?.Readonly || isDeclaredReadonly(symbol) ? 'readonly ' : '';
      const name = symbol.name.startsWith('__@')
        ? `[Symbol.${symbol.name.slice(3).replace(/@.*$/, '')}]`
        : keyText(symbol.name);
      const value = text(checker.getTypeOfSymbol(symbol), symbol.name);
      lines.push(`${commentOf(symbol, around)}${readonly}${name}${isOptional ? '?' : ''}: ${value};`);
    }
    return lines.join('\n');
  }

  function isDeclaredReadonly(symbol) {
    return (
      symbol.declarations?.some((node) => (ts.getCombinedModifierFlags(node) & ts.ModifierFlags.Readonly) !== 0) ===
      true
    );
  }

  function signature(call, arrow = ': ') {
    const parameters = call.getParameters().map((symbol) => {
      const node = symbol.valueDeclaration;
      const isOptional = ts.isParameter(node) && (node.questionToken !== undefined || node.initializer !== undefined);
      const name = ts.isIdentifier(node.name) ? symbol.name : 'options';
      return `${node.dotDotDotToken === undefined ? '' : '...'}${name}${isOptional ? '?' : ''}: ${text(checker.getTypeOfSymbolAtLocation(symbol, node))}`;
    });
    return `(${parameters.join(', ')})${arrow}${text(call.getReturnType())}`;
  }

  /** A type as text, with the names of declarations that are written by themselves. */
  function text(type, around = '') {
    const alias = named.get(type);
    if (alias !== undefined) return refer(alias);
    if (type.flags & ts.TypeFlags.Boolean) return 'boolean';
    if (type.isUnion()) return unionText(type, around);
    if (type.isIntersection() && !type.types.every((one) => one.flags & ts.TypeFlags.Object)) {
      return type.types.map((one) => text(one, around)).join(' & ');
    }
    if ((type.flags & ts.TypeFlags.Object) === 0 && !type.isIntersection()) return checker.typeToString(type);
    if (checker.isTupleType(type)) {
      const readonly = type.target.readonly ? 'readonly ' : '';
      return `${readonly}[${checker
        .getTypeArguments(type)
        .map((one) => text(one))
        .join(', ')}]`;
    }
    if (checker.isArrayType(type)) {
      const [item] = checker.getTypeArguments(type);
      const inner = text(item, around);
      const readonly = type.symbol.name === 'ReadonlyArray' ? 'readonly ' : '';
      return `${readonly}${/^[\w.]+$/.test(inner) || inner.startsWith('{') ? inner : `(${inner})`}[]`;
    }
    const { symbol } = type;
    const isNamed = symbol !== undefined && (symbol.flags & (ts.SymbolFlags.Interface | ts.SymbolFlags.Class)) !== 0;
    if (isNamed) {
      const args = type.objectFlags & ts.ObjectFlags.Reference ? checker.getTypeArguments(type) : [];
      const most = type.target?.typeParameters?.length ?? 0;
      const list = args.slice(0, most).map((one) => text(one));
      const name = isOwn(symbol.declarations?.[0]?.getSourceFile()) ? refer(symbol) : symbol.name;
      return list.length === 0 ? name : `${name}<${list.join(', ')}>`;
    }
    const calls = type.getCallSignatures();
    if (calls.length === 1 && checker.getPropertiesOfType(type).length === 0) return `(${signature(calls[0], ' => ')})`;
    const like = likeness(type);
    if (like?.whole !== undefined) return like.whole;
    if (like === null) return `{\n${members(type, { around })}\n}`;
    return `${like.base} & {\n${members(type, { around, only: (one) => !like.keys.includes(one.name) })}\n}`;
  }

  function unionText(type, around) {
    if (type.types.length > mostWords && type.types.every((one) => one.isStringLiteral())) return 'string';
    let rest = [...type.types];
    const parts = [];
    for (const { members: own, symbol } of unions) {
      if (rest.length < own.size || rest.filter((one) => own.has(one)).length !== own.size) continue;
      rest = rest.filter((one) => !own.has(one));
      parts.push(refer(symbol));
    }
    const isBoolean = rest.filter((one) => one.flags & ts.TypeFlags.BooleanLiteral).length === 2;
    if (isBoolean)
      rest = [...rest.filter((one) => !(one.flags & ts.TypeFlags.BooleanLiteral)), checker.getBooleanType()];
    const isAbsent = (one) => (one.flags & (ts.TypeFlags.Null | ts.TypeFlags.Undefined)) !== 0;
    const last = rest.filter(isAbsent).reverse();
    const others = rest.filter((one) => !isAbsent(one)).map((one) => text(one, around));
    return [...parts, ...others, ...last.map((one) => text(one))].join(' | ');
  }

  /** The bases of an interface by their names; `null` where one of them is a type that has none. */
  function heritage(node) {
    const bases = (node.heritageClauses ?? []).flatMap(({ types }) => types);
    const list = bases.map((base) => {
      const symbol = checker.getSymbolAtLocation(base.expression);
      const target = symbol?.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
      const type = checker.getTypeAtLocation(base);
      const isPlain =
        ts.isIdentifier(base.expression) && target !== undefined && !['Pick', 'Omit', 'Partial'].includes(target.name);
      return isPlain ? { text: text(type), type } : null;
    });
    return list.includes(null) ? null : list;
  }

  /** A type parameter with the names that its constraint and its default have here. */
  function typeParameter({ name, constraint, default: usual }) {
    const bound = constraint === undefined ? '' : ` extends ${text(checker.getTypeFromTypeNode(constraint))}`;
    return `${name.text}${bound}${usual === undefined ? '' : ` = ${text(checker.getTypeFromTypeNode(usual))}`}`;
  }

  function declaration(symbol, prefix) {
    const [node] = symbol.declarations;
    const name = names.get(symbol);
    const comment = commentOf(symbol, '');
    if (ts.isFunctionDeclaration(node)) {
      const calls = checker.getTypeOfSymbolAtLocation(symbol, node).getCallSignatures();
      return calls.map((call) => `${comment}${prefix}declare function ${name}${signature(call)};`).join('\n');
    }
    if (ts.isTypeAliasDeclaration(node)) {
      const type = checker.getTypeAtLocation(node.name);
      named.delete(type);
      const around = unions.findIndex((one) => one.symbol === symbol);
      const [own] = around === -1 ? [] : unions.splice(around, 1);
      const isPlain =
        !type.isUnion() &&
        type.flags & ts.TypeFlags.Object &&
        !checker.isArrayType(type) &&
        type.getCallSignatures().length === 0;
      const like = isPlain ? likeness(type) : null;
      const base = like?.base === undefined ? '' : ` extends ${like.base}`;
      const only = (one) => like?.base === undefined || !like.keys.includes(one.name);
      const made = isPlain
        ? `${comment}${prefix}interface ${name}${base} {\n${members(type, { only })}\n}`
        : `${comment}${prefix}type ${name} = ${text(type)};`;
      named.set(type, symbol);
      if (own !== undefined) unions.splice(around, 0, own);
      return made;
    }
    const type = checker.getDeclaredTypeOfSymbol(symbol);
    const bases = heritage(node);
    const inherited = new Set(
      (bases ?? []).flatMap((base) => checker.getPropertiesOfType(base.type).map((one) => one.name)),
    );
    const own = new Set((node.members ?? []).map((member) => member.name?.getText()));
    const only = ({ name: key }) => bases === null || !inherited.has(key) || own.has(key);
    const from = bases === null || bases.length === 0 ? '' : ` extends ${bases.map((base) => base.text).join(', ')}`;
    const parameters =
      node.typeParameters === undefined ? '' : `<${node.typeParameters.map(typeParameter).join(', ')}>`;
    if (!ts.isClassDeclaration(node))
      return `${comment}${prefix}interface ${name}${parameters}${from} {\n${members(type, { only })}\n}`;
    const [make] = checker.getTypeOfSymbolAtLocation(symbol, node).getConstructSignatures();
    const constructor = `constructor${signature(make).replace(/: [^:]*$/, '')};`;
    const heads = members(type, { only: (one) => only(one) && own.has(one.name) });
    return `${comment}${prefix}declare class ${name}${parameters}${from} {\n${constructor}\n${heads}\n}`;
  }

  const module = checker.getSymbolAtLocation(program.getSourceFile(entry));
  const exported = new Set();
  for (const symbol of checker.getExportsOfModule(module)) {
    const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    names.set(target, symbol.name);
    exported.add(target);
    queue.push(target);
  }
  for (let at = 0; at < queue.length; at += 1) {
    const symbol = queue[at];
    written.set(symbol, declaration(symbol, exported.has(symbol) ? 'export ' : ''));
  }
  return `/* The library. Generated from ${relative(root, entry)} by npm run generate. */\n\n${[...written.values()].join('\n\n')}\n\nexport {};\n`;
}
