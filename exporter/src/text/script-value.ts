import { type HastNode } from "satteri";

/** The possible values of a page's expressions. */
export type Value = Scalar | readonly Value[] | ValueRecord | EngineValue | JsxValue | Content;

type Scalar = string | number | boolean | null | undefined;

export interface ValueRecord {
    readonly [key: string]: Value;
}

/** A value that stays in the engine: a function, a class, or an object with its own code. */
export class EngineValue {
    constructor(
        /** The name of the value in the engine. */
        readonly code: string,
        readonly isFunction: boolean,
    ) {}
}

/** A JSX element inside an expression. */
export class JsxValue {
    constructor(
        readonly name: string,
        readonly attributes: ValueRecord,
        readonly children: readonly Value[],
        /** The imported snippet that the element shows, if any. */
        readonly snippet?: Content,
    ) {}
}

/** Parts of a page's syntax tree with the names that they can use, as passed to a component in `children`. */
export class Content {
    constructor(
        readonly nodes: readonly HastNode[],
        readonly scope: Scope,
        /** The file of the nodes, relative to the site's folder. */
        readonly file: string,
        /** Whether the nodes are the whole content of an imported file. */
        readonly isSnippet = false,
    ) {}
}

/** Thrown if an expression cannot be evaluated. */
export class UnsupportedExpressionError extends Error {
    override readonly name = "UnsupportedExpressionError";
}

/** Returns the reason why an expression cannot be evaluated. @throws all other errors unchanged */
export function reasonOfUnsupported(error: unknown): string {
    if (error instanceof UnsupportedExpressionError) {
        return error.message;
    }
    throw error;
}

export function emptyRecord(): Record<string, Value> {
    return Object.create(null) as Record<string, Value>;
}

export function isValueRecord(value: Value): value is ValueRecord {
    return (
        typeof value === "object" &&
        value !== null &&
        !Array.isArray(value) &&
        !(value instanceof EngineValue || value instanceof JsxValue || value instanceof Content)
    );
}

/** A value as text, as JSX would show it; undefined for values that are not text. */
export function textOfValue(value: Value): string | undefined {
    return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
}

/** The names that an expression can use: first the names of its own file, then the names of the places around it. */
export class Scope {
    readonly #names = new Map<string, Value>();
    #added: string[] = [];

    constructor(readonly outer?: Scope) {}

    has(name: string): boolean {
        return this.#names.has(name) || this.outer?.has(name) === true;
    }

    get(name: string): Value {
        return this.#names.has(name) ? this.#names.get(name) : this.outer?.get(name);
    }

    set(name: string, value: Value): void {
        this.#names.set(name, value);
        this.#added.push(name);
    }

    /** The names that were set since the last call, with their values. */
    takeAdded(): readonly (readonly [string, Value])[] {
        const added = this.#added.map((name) => [name, this.#names.get(name)] as const);
        this.#added = [];
        return added;
    }
}
