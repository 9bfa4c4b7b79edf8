import { type Expression } from "estree-jsx";
import { compileJsx } from "./compile-jsx.js";
import { Engine } from "./script-engine.js";
import { type ThrownValue } from "./thrown-value.js";
import { PageCode } from "./page-code.js";
import { staticValue } from "../../text/static-value.js";
import { EngineValue, type Scope, type Value, type Content, emptyRecord, JsxValue } from "../../text/script-value.js";

/** The output of a component. */
interface ShownComponent {
    readonly value: Value;
    /** The omitted attributes, with the reasons. */
    readonly problems: readonly { readonly name: string; readonly reason: string }[];
    /** The content that is visible only after clicks. */
    readonly states: readonly { readonly label: Value; readonly value: Value }[];
    /** The number of clicks that were not simulated, or failed. */
    readonly missing: number;
    /** Whether the component loads further content in browsers. */
    readonly loadsData: boolean;
}

type EncodedComponent = [
    problems: [name: string, error: ThrownValue][],
    first: EncodedValue,
    others: [label: EncodedValue, value: EncodedValue][],
    missing: number,
    loadsData: boolean,
];

/** The code of one page and its imports. The page's code runs in a separate engine, which starts on demand. */
export class PageScript {
    #engine: Engine | undefined;
    readonly #scopes: Scope[] = [];
    /** Writes the engine's input, and stores the objects that the input refers to. */
    readonly code = new PageCode();

    /** @param pageLength the number of characters of the page's source */
    constructor(
        private readonly pageScope: Scope,
        private readonly pageLength: number,
    ) {}

    /** @throws UnsupportedExpressionError */
    evaluate(node: Expression, code: string, scope: Scope): Value {
        const known = staticValue(node, scope);
        if (!(known instanceof EngineValue)) {
            return known;
        }
        const json = this.#runIn(scope, `__page.write(() => (${compileJsx(node, code)}))`);
        return this.#decode(JSON.parse(json) as EncodedValue);
    }

    /**
     * Runs a statement that declares names in the scope, which the statement also sees as `__scope`.
     * @throws UnsupportedExpressionError
     */
    declare(names: readonly string[], code: string, scope: Scope): void {
        const number = this.#numberOf(scope);
        const list = JSON.stringify(names);
        const run = `__page.declare(${number}, ${list}, (__scope) => {${code}\n})`;
        let kinds: readonly string[] = [];
        try {
            kinds = JSON.parse(this.#runIn(scope, run)) as string[];
        } finally {
            names.forEach((name, at) => {
                const kind = kinds[at] ?? "undefined";
                const slot = new EngineValue(`__page.scopes[${number}][${JSON.stringify(name)}]`, kind === "function");
                scope.set(name, kind === "undefined" ? undefined : slot);
            });
        }
    }

    /** The output of one of the page's own components. @throws UnsupportedExpressionError */
    show(component: EngineValue, attributes: string, children: Value, scope: Scope): ShownComponent | undefined {
        const given = this.code.ofChildren(children);
        const json = this.#runIn(scope, `__page.show(${component.code}, ${attributes}, ${given})`);
        const shown = JSON.parse(json) as EncodedComponent | null;
        if (shown === null) {
            return undefined;
        }
        const [problems, first, others, missing, loadsData] = shown;
        return {
            value: this.#decode(first),
            problems: problems.map(([name, error]) => ({ name, reason: this.#started().reasonOf(error) })),
            states: others.map(([label, value]) => ({ label: this.#decode(label), value: this.#decode(value) })),
            missing,
            loadsData,
        };
    }

    dispose(): void {
        this.#engine?.dispose();
    }

    #started(): Engine {
        if (this.#engine === undefined) {
            this.#engine = new Engine(this.pageLength, (number) => this.#expansionOf(number));
            // The engine uses the first scope as the page's own.
            this.#numberOf(this.pageScope);
        }
        return this.#engine;
    }

    /** Runs code that can use the names of a scope. */
    #runIn(scope: Scope, code: string): string {
        return this.#started().run(this.#within(scope, code));
    }

    #within(scope: Scope, code: string): string {
        return `with (__page.scopes[${this.#numberOf(scope)}]) { (() => { "use strict"; return ${code}; })() }`;
    }

    #decode(encoded: EncodedValue): Value {
        return decodeValue(encoded, this.code.contents);
    }

    /** Passes a scope's new names to the engine, and returns the engine's number of the scope. */
    #numberOf(scope: Scope): number {
        const engine = this.#started();
        const outer = scope.outer === undefined ? -1 : this.#numberOf(scope.outer);
        let number = this.#scopes.indexOf(scope);
        if (number === -1) {
            number = this.#scopes.push(scope) - 1;
            engine.run(`__page.addScope(${number}, ${outer}); ""`);
        }
        const sets = scope.takeAdded().flatMap(([name, value]) => {
            const slot = `__page.scopes[${number}][${JSON.stringify(name)}]`;
            return value instanceof EngineValue && value.code === slot ? [] : [`${slot} = ${this.code.of(value)};`];
        });
        if (sets.length > 0) {
            engine.run(`${sets.join("\n")} ""`);
        }
        return number;
    }

    #expansionOf(number: number): string {
        const content = this.code.contents[number];
        return content === undefined ? "undefined" : this.#within(content.scope, this.code.ofExpansion(content));
    }
}

/**
 * A value in the engine's notation: text, numbers and empty values unchanged; all other values as a list that begins
 * with the value's kind.
 */
type EncodedValue =
    | string
    | number
    | boolean
    | null
    | ["undefined"]
    | ["list", ...EncodedValue[]]
    | ["record", EncodedEntry[]]
    | ["reference", number: number, isFunction: boolean]
    | ["content", number: number]
    | ["element", name: string, attributes: EncodedEntry[], children: EncodedValue[]]
    | ["snippet", number: number, attributes: EncodedEntry[], children: EncodedValue[]];

type EncodedEntry = [name: string, value: EncodedValue];

/** @param contents parts of the page by their number */
function decodeValue(encoded: EncodedValue, contents: readonly Content[]): Value {
    if (!Array.isArray(encoded)) {
        return encoded;
    }
    const decode = (value: EncodedValue) => decodeValue(value, contents);
    const record = (entries: readonly EncodedEntry[]) => {
        const made = emptyRecord();
        entries.forEach(([name, value]) => (made[name] = decode(value)));
        return made;
    };
    switch (encoded[0]) {
        case "undefined":
            return undefined;
        case "list":
            return encoded.slice(1).map(decode);
        case "record":
            return record(encoded[1]);
        case "reference":
            return new EngineValue(`__page.references[${encoded[1]}]`, encoded[2]);
        case "content":
            return contents[encoded[1]];
        case "element":
            return new JsxValue(encoded[1], record(encoded[2]), encoded[3].map(decode));
        case "snippet":
            return new JsxValue("", record(encoded[2]), encoded[3].map(decode), contents[encoded[1]]);
    }
}
