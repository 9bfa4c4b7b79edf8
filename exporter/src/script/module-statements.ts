import type {
    Declaration,
    FunctionDeclaration,
    ImportDeclaration,
    MaybeNamedClassDeclaration,
    MaybeNamedFunctionDeclaration,
    Program,
} from "estree-jsx";
import { bindPattern } from "./bind-pattern.js";
import { type Evaluation } from "./evaluation.js";
import { exportsOfPackage } from "./packages.js";
import { Closure, emptyRecord, type Scope, UnsupportedExpressionError, type Value } from "./value.js";

export interface ModuleHost {
    /** What a file exports. */
    load(specifier: string): ReadonlyMap<string, Value>;
    problem(line: number | undefined, reason: string): void;
}

interface ModuleTarget {
    readonly scope: Scope;
    readonly evaluator: Evaluation;
    readonly exports: Map<string, Value>;
}

/** Works out a module's statements one by one: one that cannot be worked out costs only its own names. */
export function runModule(program: Program, target: ModuleTarget, host: ModuleHost): void {
    for (const statement of program.body) {
        try {
            switch (statement.type) {
                case "ImportDeclaration":
                    runImport(statement, target.scope, host);
                    break;
                case "ExportNamedDeclaration":
                    if (statement.declaration) {
                        for (const name of declare(statement.declaration, target)) {
                            target.exports.set(name, target.scope.get(name));
                        }
                    } else if (statement.source) {
                        const from = host.load(String(statement.source.value));
                        for (const { local, exported } of statement.specifiers) {
                            target.exports.set(nameOf(exported), from.get(nameOf(local)));
                        }
                    } else {
                        for (const { local, exported } of statement.specifiers) {
                            target.exports.set(nameOf(exported), target.scope.get(nameOf(local)));
                        }
                    }
                    break;
                case "ExportDefaultDeclaration":
                    target.exports.set("default", defaultOf(statement.declaration, target));
                    break;
                case "VariableDeclaration":
                case "FunctionDeclaration":
                case "ClassDeclaration":
                    declare(statement, target);
                    break;
                case "EmptyStatement":
                    break;
                case "ExpressionStatement":
                    if (statement.expression.type !== "Literal") {
                        throw new UnsupportedExpressionError("it runs as a script, and an export runs none");
                    }
                    break;
                default:
                    throw new UnsupportedExpressionError("only imports, exports and declarations are read");
            }
        } catch (error) {
            if (!(error instanceof UnsupportedExpressionError)) {
                throw error;
            }
            host.problem(statement.loc?.start.line, error.message);
        }
    }
}

function runImport(statement: ImportDeclaration, scope: Scope, host: ModuleHost): void {
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
    let exports: ReadonlyMap<string, Value> = new Map<string, Value>();
    try {
        exports = host.load(specifier);
    } finally {
        // A name that could not be loaded is there and worth nothing, so that its uses are not reported again.
        for (const imported of statement.specifiers) {
            if (imported.type === "ImportNamespaceSpecifier") {
                scope.set(imported.local.name, Object.assign(emptyRecord(), Object.fromEntries(exports)));
            } else {
                const name = imported.type === "ImportDefaultSpecifier" ? "default" : nameOf(imported.imported);
                // Older sites import a snippet by a name although it exports none.
                const value = exports.has(name)
                    ? exports.get(name)
                    : imported.local.name === name
                      ? exports.get("default")
                      : undefined;
                scope.set(imported.local.name, value);
            }
        }
    }
}

function declare(declaration: Declaration, { scope, evaluator }: ModuleTarget): string[] {
    if (declaration.type === "ClassDeclaration") {
        throw new UnsupportedExpressionError("classes are not supported");
    }
    if (declaration.type === "FunctionDeclaration") {
        scope.set(declaration.id.name, new Closure(declaration, scope));
        return [declaration.id.name];
    }
    return declaration.declarations.flatMap(({ id, init }) => {
        try {
            bindPattern(id, init ? evaluator.evaluate(init, scope) : undefined, scope, evaluator);
        } catch (error) {
            // A name that every page sees, such as React, is still worth what it was.
            if (id.type === "Identifier" && !scope.has(id.name)) {
                scope.set(id.name, undefined);
            }
            throw error;
        }
        return namesOf(id);
    });
}

function defaultOf(
    declaration: MaybeNamedFunctionDeclaration | MaybeNamedClassDeclaration | Parameters<Evaluation["evaluate"]>[0],
    { scope, evaluator }: ModuleTarget,
): Value {
    if (declaration.type === "FunctionDeclaration") {
        const closure = new Closure(declaration as FunctionDeclaration, scope);
        if (declaration.id) {
            scope.set(declaration.id.name, closure);
        }
        return closure;
    }
    if (declaration.type === "ClassDeclaration") {
        throw new UnsupportedExpressionError("classes are not supported");
    }
    return evaluator.evaluate(declaration, scope);
}

function namesOf(pattern: { type: string }): string[] {
    const node = pattern as {
        type: string;
        name?: string;
        elements?: ({ type: string } | null)[];
        properties?: { value?: { type: string }; argument?: { type: string } }[];
    };
    if (node.type === "Identifier") {
        return [node.name ?? ""];
    }
    const inner = [...(node.elements ?? []), ...(node.properties ?? []).map((item) => item.value ?? item.argument)];
    return inner.flatMap((item) => (item ? namesOf(item) : []));
}

function nameOf(node: { type: string; name?: string; value?: unknown }): string {
    return node.name ?? String(node.value);
}
