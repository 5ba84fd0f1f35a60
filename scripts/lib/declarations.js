// The declarations of the library as plain interfaces: types that zod infers are written out, with the comments of their schemas; options have
// the help of their table.
import { join, relative } from 'node:path';
import ts from 'typescript';
import { root, workspaces } from './workspaces.js';

/** Files that declare options, whose comments are their help. */
const optionFiles = /\/core\/deadheat\/src\/(?:settings|config)\//;

/** Fewest keys that two types must share so that one is written by the name of the other. */
const leastShared = 3;

/** The interface of a value of each side. */
const sidesName = 'Sides';

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
  const exported = new Set();
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
  for (const file of program.getSourceFiles().filter(isOwn)) {
    for (const { declarationList } of file.statements.filter(ts.isVariableStatement)) {
      for (const { name } of declarationList.declarations) {
        const type = outputOf(checker.getTypeAtLocation(name));
        const isObject = type !== null && (type.flags & ts.TypeFlags.Object) !== 0 && !checker.isArrayType(type);
        if (isObject && !named.has(type)) named.set(type, checker.getSymbolAtLocation(name));
      }
    }
  }

  /** The type that a schema reads; `null` for another value. */
  function outputOf(type) {
    const schema = checker.getPropertyOfType(type, '_zod');
    const output = schema && checker.getPropertyOfType(checker.getTypeOfSymbol(schema), 'output');
    return output === undefined ? null : checker.getTypeOfSymbol(output);
  }

  /** The kinds and comments of values of an object type by its keys. */
  const kindsOf = (type) =>
    new Map(
      checker.getPropertiesOfType(type).map((symbol) => {
        const isOptional = (symbol.flags & ts.SymbolFlags.Optional) !== 0;
        const kind = checker
          .typeToString(checker.getTypeOfSymbol(symbol), undefined, ts.TypeFormatFlags.NoTruncation)
          .replace(/ \| undefined$/, '');
        return [symbol.name, { kind: `${documentationOf(symbol)}: ${kind}`, isOptional }];
      }),
    );
  const large = [...named]
    .filter(([, symbol]) => symbol.declarations[0].getSourceFile().fileName.includes('/core/model/src/'))
    .filter(([type]) => type.flags & ts.TypeFlags.Object && checker.getPropertiesOfType(type).length >= leastShared)
    .map(([type, symbol]) => ({ type, symbol }))
    .sort((one, other) => one.type.getProperties().length - other.type.getProperties().length);

  /** A declared type, or a part of it, that has keys of an object type with the same comments; `null` = there is none. */
  function likeness(type, { isDeclared = false } = {}) {
    if (checker.getPropertiesOfType(type).length < leastShared) return null;
    const own = kindsOf(type);
    let base = null;
    for (const { symbol, ...candidate } of large.filter((one) => one.type !== type)) {
      const kinds = kindsOf(candidate.type);
      const shared = [...kinds].filter(([key, { kind, isOptional }]) => {
        const same = own.get(key);
        return same?.kind === kind && same.isOptional === isOptional;
      });
      const keys = shared.map(([key]) => key);
      const isWhole = keys.length === kinds.size;
      // A declaration that is a part of a later one is written in full: the later one refers to it.
      const refersBack = !isWhole && (!written.has(symbol) || (isDeclared && keys.length === own.size));
      if (keys.length < leastShared || keys.length < base?.keys.length || refersBack) continue;
      base = { text: isWhole ? refer(symbol) : partOf(symbol, { keys, of: [...kinds.keys()] }), keys };
    }
    return base;
  }

  /** The named type with some of its keys. */
  function partOf(symbol, { keys, of }) {
    const absent = of.filter((key) => !keys.includes(key));
    const [utility, list] = absent.length < keys.length ? ['Omit', absent] : ['Pick', keys];
    return `${utility}<${refer(symbol)}, ${list.map((key) => `'${key}'`).join(' | ')}>`;
  }

  const names = new Map();
  /** The name under which a declaration of the workspaces is written. */
  function refer(symbol) {
    const known = names.get(symbol);
    if (known !== undefined) return known;
    const taken = new Set(names.values());
    let name = symbol.name.replace(/^([a-z])(.*)Schema$/, (_, first, rest) => first.toUpperCase() + rest);
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

  let usesSides = false;
  /** An object of one value for each side, of which neither has a comment of its own. */
  function isPlainOfSides(type) {
    const values = checker.getPropertiesOfType(type);
    const [A, B] = ['A', 'B'].map((side) => type.getProperty(side));
    const isBoth = values.length === 2 && A !== undefined && B !== undefined;
    if (!isBoth || values.some((symbol) => documentationOf(symbol) !== '')) return false;
    return checker.getTypeOfSymbol(A) === checker.getTypeOfSymbol(B);
  }

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

  // The word readonly is left out: it does not decide which values a function takes.
  function members(type, { around = '', only = () => true } = {}) {
    const lines = [];
    for (const call of type.getCallSignatures()) lines.push(`${signature(call)};`);
    for (const { keyType, type: value } of checker.getIndexInfosOfType(type)) {
      lines.push(`[name: ${text(keyType)}]: ${text(value, around)};`);
    }
    for (const symbol of checker.getPropertiesOfType(type).filter(only)) {
      const isOptional = (symbol.flags & ts.SymbolFlags.Optional) !== 0;
      const name = symbol.name.startsWith('__@')
        ? `[Symbol.${symbol.name.slice(3).replace(/@.*$/, '')}]`
        : keyText(symbol.name);
      const value = text(checker.getTypeOfSymbol(symbol), symbol.name);
      lines.push(`${commentOf(symbol, around)}${name}${isOptional ? '?' : ''}: ${value};`);
    }
    return lines.join('\n');
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
    const [index, ...more] = checker.getIndexInfosOfType(type);
    if (index !== undefined && more.length === 0 && checker.getPropertiesOfType(type).length === 0) {
      return `Record<${text(index.keyType)}, ${text(index.type, around)}>`;
    }
    if (isPlainOfSides(type)) {
      usesSides = true;
      return `${sidesName}<${text(checker.getTypeOfSymbol(type.getProperty('A')))}>`;
    }
    const like = likeness(type);
    if (like === null) return `{\n${members(type, { around })}\n}`;
    const rest = members(type, { around, only: (one) => !like.keys.includes(one.name) });
    return rest === '' ? like.text : `${like.text} & {\n${rest}\n}`;
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
    // A type that is not exported is never named by a caller, and an editor shows the comments of its fields alone.
    const comment = exported.has(symbol) ? commentOf(symbol, '') : '';
    if (ts.isFunctionDeclaration(node)) {
      const calls = checker.getTypeOfSymbolAtLocation(symbol, node).getCallSignatures();
      return calls.map((call) => `${comment}${prefix}declare function ${name}${signature(call)};`).join('\n');
    }
    if (ts.isTypeAliasDeclaration(node) || ts.isVariableDeclaration(node)) {
      const own = checker.getTypeAtLocation(node.name);
      const type = ts.isVariableDeclaration(node) ? outputOf(own) : own;
      named.delete(type);
      const around = unions.findIndex((one) => one.symbol === symbol);
      const [union] = around === -1 ? [] : unions.splice(around, 1);
      const isPlain =
        !type.isUnion() &&
        type.flags & ts.TypeFlags.Object &&
        !checker.isArrayType(type) &&
        type.getCallSignatures().length === 0;
      const like = isPlain ? likeness(type, { isDeclared: true }) : null;
      const base = like === null ? '' : ` extends ${like.text}`;
      const only = (one) => like === null || !like.keys.includes(one.name);
      const made = isPlain
        ? `${comment}${prefix}interface ${name}${base} {\n${members(type, { only })}\n}`
        : `${comment}${prefix}type ${name} = ${text(type)};`;
      named.set(type, symbol);
      if (union !== undefined) unions.splice(around, 0, union);
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
  const sides = ['A', 'B'].map((side) => `/** ${helpOf(side, '')} */\n${side}: Value;`).join('\n');
  if (usesSides) written.set(null, `/** A value of each side. */\ninterface ${sidesName}<Value> {\n${sides}\n}`);
  return `/* The library. Generated from ${relative(root, entry)} by npm run generate. */\n\n${[...written.values()].join('\n\n')}\n\nexport {};\n`;
}
