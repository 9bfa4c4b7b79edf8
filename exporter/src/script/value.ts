import { type HastNode } from "satteri";
import type { Expression, Function as FunctionNode } from "estree-jsx";

/**
 * What an expression of a page can be worth. Nothing here reaches the process: objects have no prototype, and a
 * function is a syntax tree that only the evaluator can call.
 */
export type Value =
    | string
    | number
    | boolean
    | null
    | undefined
    | readonly Value[]
    | ValueRecord
    | Closure
    | BuiltIn
    | RegularExpression
    | Collection
    | JsxValue
    | Content;

export interface ValueRecord {
    readonly [key: string]: Value;
}

/** A function of a page or of a snippet, together with the names that it sees. */
export class Closure {
    constructor(
        readonly node: FunctionNode,
        readonly scope: Scope,
    ) {}
}

/** The code that calls a function of the evaluator. What the function computes is charged there. */
export interface Caller {
    readonly budget: { step(cost?: number): void; nested<T>(work: () => T): T };
    readonly evaluate: (node: Expression, scope: Scope) => Value;
    readonly call: (callee: Value, args: readonly Value[]) => Value;
    /** An id that nothing else on the page has. */
    readonly nextId: () => string;
}

/** A function that the evaluator offers, such as `Number`, with what it has of its own: `Number.isNaN`. */
export class BuiltIn {
    constructor(
        readonly call: (args: readonly Value[], caller: Caller) => Value,
        readonly properties?: ValueRecord,
    ) {}
}

/** A regular expression that a page has written between slashes. */
export class RegularExpression {
    constructor(
        readonly source: string,
        readonly flags: string,
    ) {}
}

/** A set or a map; the values of a set are its keys. */
export class Collection {
    constructor(
        readonly kind: "Set" | "Map",
        readonly items: Map<Value, Value>,
    ) {}
}

/** An element that was written as JSX inside an expression; a fragment has no name. */
export class JsxValue {
    constructor(
        readonly name: string | undefined,
        readonly attributes: ValueRecord,
        readonly children: readonly Value[],
        /** What a page's own component of this name is worth, if there is one. */
        readonly component: Value,
    ) {}
}

/** Parts of a page's syntax tree with the names that they see, as a component gets them in `children`. */
export class Content {
    constructor(
        readonly nodes: readonly HastNode[],
        readonly scope: Scope,
        /** The file that the nodes stand in, relative to the site's folder. */
        readonly file: string,
    ) {}
}

/** An expression needs JavaScript that the evaluator does not have. */
export class UnsupportedExpressionError extends Error {
    override readonly name = "UnsupportedExpressionError";
}

export function emptyRecord(): Record<string, Value> {
    return Object.create(null) as Record<string, Value>;
}

export function isValueRecord(value: Value): value is ValueRecord {
    return (
        typeof value === "object" &&
        value !== null &&
        !Array.isArray(value) &&
        !(
            value instanceof Closure ||
            value instanceof BuiltIn ||
            value instanceof RegularExpression ||
            value instanceof Collection ||
            value instanceof JsxValue ||
            value instanceof Content
        )
    );
}

/** A value as text, as JSX would show it; undefined for everything that is no text. */
export function textOfValue(value: Value): string | undefined {
    return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
}

/** The names that an expression sees: its own block's, then those of the blocks around it. */
export class Scope {
    readonly #names = new Map<string, Value>();
    #outer: Scope | (() => Scope) | undefined;

    /** @param outer a function where most pages never look that far */
    constructor(outer?: Scope | (() => Scope)) {
        this.#outer = outer;
    }

    has(name: string): boolean {
        return this.#names.has(name) || this.#around?.has(name) === true;
    }

    get(name: string): Value {
        return this.#names.has(name) ? this.#names.get(name) : this.#around?.get(name);
    }

    set(name: string, value: Value): void {
        this.#names.set(name, value);
    }

    /** The same names, which change independently of these from now on. */
    copy(): Scope {
        const copy = new Scope(this.#outer);
        this.#names.forEach((value, name) => copy.set(name, value));
        return copy;
    }

    /** Replaces a name where it was declared; false when no block declares it. */
    assign(name: string, value: Value): boolean {
        if (this.#names.has(name)) {
            this.#names.set(name, value);
            return true;
        }
        return this.#around?.assign(name, value) === true;
    }

    /** How many names it declares itself. */
    get size(): number {
        return this.#names.size;
    }

    get #around(): Scope | undefined {
        if (typeof this.#outer === "function") {
            this.#outer = this.#outer();
        }
        return this.#outer;
    }
}
