import { type Declaration, type ImportDeclaration, type Node, type Pattern, type Program } from "estree-jsx";
import { compileJsx } from "../script/compile-jsx.js";
import { type PageScript } from "../script/page-script.js";
import { staticValue } from "../../text/static-value.js";
import { nearestName } from "../../text/nearest-name.js";
import {
    Content,
    emptyRecord,
    reasonOfUnsupported,
    type Scope,
    type Value,
    EngineValue,
} from "../../text/script-value.js";
import { iconNameOf } from "../../html/icon-set.js";

/** The context of a file whose statements run. */
interface RunningModule {
    readonly scope: Scope;
    readonly script: PageScript;
    readonly exports: Map<string, Value>;
    /** Returns the exports of another file. */
    readonly load: (specifier: string) => ReadonlyMap<string, Value>;
    readonly problem: (line: number | undefined, reason: string) => void;
}

type Statement = Program["body"][number];

/** The variable name of the default export: code cannot use the name, because it is not valid. */
const defaultName = "*default*";

/** Runs a module's statements one by one: if a statement fails, only the names that it declares are missing. */
export function runModule(program: Program, code: string, module: RunningModule): void {
    for (const statement of [...program.body].sort((one, other) => rankOf(one) - rankOf(other))) {
        try {
            runStatement(statement, code, module);
        } catch (error) {
            module.problem(statement.loc?.start.line, reasonOfUnsupported(error));
        }
    }
}

/** Imports and functions are defined before other statements run. */
function rankOf(statement: Statement): number {
    const declared = statement.type === "ExportNamedDeclaration" ? (statement.declaration ?? statement) : statement;
    return declared.type === "ImportDeclaration" ? 0 : declared.type === "FunctionDeclaration" ? 1 : 2;
}

function runStatement(statement: Statement, code: string, module: RunningModule): void {
    const { scope, exports, script } = module;
    switch (statement.type) {
        case "ImportDeclaration":
            runImport(statement, module);
            return;
        case "ExportNamedDeclaration":
            if (statement.declaration) {
                // A name whose code fails is not reported again where it is imported.
                namesIn(statement.declaration).forEach((name) => exports.set(name, undefined));
                declare(statement.declaration, code, module).forEach((name) => exports.set(name, scope.get(name)));
            } else {
                const from = statement.source ? module.load(String(statement.source.value)) : scope;
                for (const { local, exported } of statement.specifiers) {
                    exports.set(nameOf(exported), from.get(nameOf(local)));
                }
            }
            return;
        case "ExportDefaultDeclaration": {
            const { declaration } = statement;
            const names = "id" in declaration && declaration.id ? [declaration.id.name] : [];
            const slots = [`__scope[${JSON.stringify(defaultName)}]`, ...names].join(" = ");
            const value = compileJsx(declaration as Node, code);
            script.declare([defaultName, ...names], `${slots} = (${value})`, scope);
            exports.set("default", scope.get(defaultName));
            return;
        }
        case "VariableDeclaration":
        case "FunctionDeclaration":
        case "ClassDeclaration":
            declare(statement, code, module);
            return;
        case "ExportAllDeclaration":
            module.load(String(statement.source.value)).forEach((value, name) => exports.set(name, value));
            return;
        default:
            if (statement.type !== "ExpressionStatement" || statement.expression.type !== "Literal") {
                script.declare([], compileJsx(statement, code), scope);
            }
    }
}

function runImport(statement: ImportDeclaration, { scope, load, problem }: RunningModule): void {
    const specifier = String(statement.source.value);
    const known = exportsOfPackage(specifier);
    if (known !== undefined) {
        for (const imported of statement.specifiers) {
            const value = known(imported.type === "ImportSpecifier" ? nameOf(imported.imported) : "default");
            if (value !== undefined) {
                scope.set(imported.local.name, value);
            }
        }
        return;
    }
    let exports: ReadonlyMap<string, Value> | undefined;
    try {
        exports = load(specifier);
    } finally {
        // Defines a name that failed to load, but without a value, so that its uses are not reported again.
        for (const imported of statement.specifiers) {
            if (imported.type === "ImportNamespaceSpecifier") {
                scope.set(imported.local.name, Object.assign(emptyRecord(), Object.fromEntries(exports ?? [])));
                continue;
            }
            const name = imported.type === "ImportDefaultSpecifier" ? "default" : nameOf(imported.imported);
            const isMissing = exports?.has(name) === false;
            const found = isMissing && isNameOfContent(name, exports) ? "default" : name;
            scope.set(imported.local.name, exports?.get(found));
            if (isMissing) {
                problem(statement.loc?.start.line, missingExport(specifier, name, found, [...(exports?.keys() ?? [])]));
            }
        }
    }
}

/** Older sites import a snippet by a name that it does not export. */
function isNameOfContent(name: string, exports: ReadonlyMap<string, Value> | undefined): boolean {
    return /^\p{Lu}/u.test(name) && exports?.size === 1 && exports.get("default") instanceof Content;
}

function missingExport(specifier: string, name: string, found: string, names: readonly string[]): string {
    if (found !== name) {
        return `${specifier} does not export ${name}, so its whole content is shown: import it without braces`;
    }
    const similar = nearestName(name, names);
    const what = name === "default" ? "have a default export" : `export ${name}`;
    return `${specifier} does not ${what}${similar === undefined ? "" : `: did you mean ${similar}?`}`;
}

/** @returns the declared names */
function declare(declaration: Declaration, code: string, { scope, script }: RunningModule): readonly string[] {
    if (declaration.type !== "VariableDeclaration") {
        const { name } = declaration.id;
        script.declare([name], `${name} = (${compileJsx(declaration, code)})`, scope);
        return [name];
    }
    return declaration.declarations.flatMap(({ id, init }) => {
        const known = declaration.kind === "const" && init ? staticValue(init, scope) : null;
        // Code can change a list or an object, so its value stays in the engine.
        if (id.type === "Identifier" && typeof known !== "object") {
            scope.set(id.name, known);
            return [id.name];
        }
        const names = namesOf(id);
        const value = init ? compileJsx(init, code) : "undefined";
        script.declare(names, `(${compileJsx(id, code)} = (${value}))`, scope);
        return names;
    });
}

function namesIn(declaration: Declaration): readonly string[] {
    return declaration.type === "VariableDeclaration"
        ? declaration.declarations.flatMap(({ id }) => namesOf(id))
        : [declaration.id.name];
}

function namesOf(pattern: Pattern): readonly string[] {
    switch (pattern.type) {
        case "Identifier":
            return [pattern.name];
        case "AssignmentPattern":
            return namesOf(pattern.left);
        case "RestElement":
            return namesOf(pattern.argument);
        case "ArrayPattern":
            return pattern.elements.flatMap((element) => (element === null ? [] : namesOf(element)));
        case "ObjectPattern":
            return pattern.properties.flatMap((one) => namesOf(one.type === "RestElement" ? one : one.value));
        case "MemberExpression":
            return [];
    }
}

function nameOf(node: { type: string; name?: string; value?: unknown }): string {
    return node.name ?? String(node.value);
}

/**
 * The value of an import from a package that the site's builder provides; undefined for the theme's own components and
 * for types.
 */
type PackageExports = (name: string) => EngineValue | undefined;

const themes = /^(?:react\/jsx-runtime|next\/(?:link|image)|@mintlify\/components)$/;

const packages = new Map<string, PackageExports>([
    [
        "react",
        (name) => new EngineValue(name === "default" ? "React" : `React[${JSON.stringify(name)}]`, name !== "default"),
    ],
    ["lucide-react", (name) => iconComponent(iconNameOf(name.replace(/^Lucide(?=[A-Z])|Icon$/g, "")))],
    ["@tabler/icons-react", (name) => iconComponent(iconNameOf(name.replace(/^Icon(?=[A-Z])/, "")))],
]);

/** Finds the exports of a package; undefined for unknown packages. */
function exportsOfPackage(specifier: string): PackageExports | undefined {
    return packages.get(specifier) ?? (themes.test(specifier) ? () => undefined : undefined);
}

function iconComponent(icon: string): EngineValue {
    return new EngineValue(`__page.icon(${JSON.stringify(icon)})`, true);
}
