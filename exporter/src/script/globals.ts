import { itemsOf } from "./collections.js";
import { itemsOfContent } from "./elements.js";
import { toNumber, toText } from "./operators.js";
import { createReact } from "./react.js";
import {
    BuiltIn,
    type Caller,
    Closure,
    Collection,
    Content,
    emptyRecord,
    isValueRecord,
    Scope,
    UnsupportedExpressionError,
    type Value,
    type ValueRecord,
} from "./value.js";

const maxListLength = 10_000;

/** The names that every page sees without declaring them. Neither a clock nor chance is among them. */
export function createGlobals(): Scope {
    const scope = new Scope();
    const entriesOf = (value: Value) => (isValueRecord(value) ? Object.entries(value) : []);
    const record = (functions: Record<string, (...args: Value[]) => Value>): ValueRecord => {
        const values = emptyRecord();
        for (const [name, run] of Object.entries(functions)) {
            values[name] = new BuiltIn((args) => run(...args));
        }
        return values;
    };
    scope.set(
        "Object",
        record({
            keys: (value) => entriesOf(value).map(([key]) => key),
            values: (value) => entriesOf(value).map(([, item]) => item),
            entries: (value) => entriesOf(value),
            fromEntries: (value) => recordFrom(value),
            assign: (...values) => merged(values),
        }),
    );
    const listOf = new BuiltIn(([value, map], caller) => listFrom(value, map, caller));
    scope.set("Array", Object.assign(record({ isArray: (value) => isList(value) }), { from: listOf }));
    scope.set("JSON", record({ stringify: (value, _, indent) => stringify(value, indent) }));
    scope.set(
        "Math",
        record({
            abs: (value) => Math.abs(toNumber(value)),
            ceil: (value) => Math.ceil(toNumber(value)),
            floor: (value) => Math.floor(toNumber(value)),
            log10: (value) => Math.log10(toNumber(value)),
            log2: (value) => Math.log2(toNumber(value)),
            max: (...values) => Math.max(...values.map(toNumber)),
            min: (...values) => Math.min(...values.map(toNumber)),
            pow: (base, power) => Math.pow(toNumber(base), toNumber(power)),
            round: (value) => Math.round(toNumber(value)),
            sign: (value) => Math.sign(toNumber(value)),
            sqrt: (value) => Math.sqrt(toNumber(value)),
            trunc: (value) => Math.trunc(toNumber(value)),
        }),
    );
    scope.set("String", new BuiltIn(([value]) => toText(value)));
    const numbers = record({
        isNaN: (value) => typeof value === "number" && Number.isNaN(value),
        isInteger: (value) => Number.isInteger(value),
        isSafeInteger: (value) => Number.isSafeInteger(value),
        isFinite: (value) => Number.isFinite(value),
        parseInt: (value, radix) => parseInt(toText(value), radix === undefined ? undefined : toNumber(radix)),
        parseFloat: (value) => parseFloat(toText(value)),
    });
    scope.set("Number", new BuiltIn(([value]) => toNumber(value), numbers));
    scope.set("isNaN", new BuiltIn(([value]) => Number.isNaN(toNumber(value))));
    scope.set("parseInt", numbers["parseInt"]);
    scope.set("parseFloat", numbers["parseFloat"]);
    for (const [name, convert] of Object.entries(uriFunctions)) {
        scope.set(name, new BuiltIn(([value]) => convertUri(convert, name, toText(value))));
    }
    // A picture as Docusaurus names it: `require("./a.png").default`.
    scope.set("require", new BuiltIn(([path]) => Object.assign(emptyRecord(), { default: path })));
    // What a page writes to the console is for nobody who reads it.
    const silent = () => undefined;
    scope.set("console", record({ debug: silent, error: silent, info: silent, log: silent, warn: silent }));
    scope.set("Boolean", new BuiltIn(([value]) => Boolean(value)));
    const react = createReact();
    scope.set("React", react);
    for (const [name, value] of Object.entries(react)) {
        scope.set(name, value);
    }
    return scope;
}

/** Several parts of a page's content are what React gives as a list. */
function isList(value: Value): boolean {
    return Array.isArray(value) || (value instanceof Content && itemsOfContent(value).length > 1);
}

const uriFunctions = { encodeURIComponent, encodeURI, decodeURIComponent, decodeURI };

function convertUri(convert: (text: string) => string, name: string, text: string): string {
    try {
        return convert(text);
    } catch {
        throw new UnsupportedExpressionError(`${name} cannot read its text`);
    }
}

/** The first record is not changed: nearly all give an empty one. */
function merged(values: readonly Value[]): ValueRecord {
    return Object.assign(emptyRecord(), ...values.filter(isValueRecord)) as ValueRecord;
}

function recordFrom(value: Value): ValueRecord {
    const made = emptyRecord();
    for (const entry of Array.isArray(value) ? (value as readonly Value[]) : []) {
        const [key, item] = Array.isArray(entry) ? (entry as readonly Value[]) : [];
        made[toText(key)] = item;
    }
    return made;
}

function listFrom(value: Value, map: Value, { call }: Caller): Value {
    const length = isValueRecord(value) ? toNumber(value["length"] ?? 0) : 0;
    if (length > maxListLength) {
        throw new UnsupportedExpressionError("a list is too long");
    }
    const list = itemsOf(value) ?? Array.from({ length }, () => undefined);
    return map === undefined ? list : list.map((item, index) => call(map, [item, index]));
}

/** Objects may hold each other many times, so what is written is counted. */
function stringify(value: Value, indent: Value): Value {
    let written = 0;
    const count = (_: string, item: unknown): unknown => {
        written += 1;
        if (written > maxListLength) {
            throw new UnsupportedExpressionError("an object is too large to be written as JSON");
        }
        return item instanceof Closure || item instanceof BuiltIn || item instanceof Collection ? undefined : item;
    };
    try {
        return JSON.stringify(value, count, typeof indent === "number" ? Math.min(8, indent) : undefined);
    } catch (error) {
        if (error instanceof UnsupportedExpressionError) {
            throw error;
        }
        throw new UnsupportedExpressionError("a list that holds itself cannot be written as JSON");
    }
}
