import { type Evaluation } from "./evaluation.js";
import { itemsOfContent } from "./elements.js";
import { Collection, Content, UnsupportedExpressionError, type Value } from "./value.js";

type Method = (target: Collection, args: readonly Value[], evaluation: Evaluation) => Value;

/** `new Set(list)` and `new Map(entries)`. */
export function createCollection(kind: string, given: readonly Value[] | undefined): Collection {
    if (kind !== "Set" && kind !== "Map") {
        throw new UnsupportedExpressionError(`new ${kind} is not supported`);
    }
    const items = (given ?? []).map((item): [Value, Value] => {
        const [key, value] = kind === "Map" && Array.isArray(item) ? (item as readonly Value[]) : [item, item];
        return [key, value];
    });
    return new Collection(kind, new Map(items));
}

/** What `for…of`, `...` and `Array.from` find in a value; undefined for what has no items. */
export function itemsOf(value: Value): readonly Value[] | undefined {
    if (value instanceof Collection) {
        return value.kind === "Set" ? [...value.items.keys()] : [...value.items.entries()];
    }
    if (value instanceof Content) {
        return itemsOfContent(value);
    }
    return typeof value === "string" ? [...value] : Array.isArray(value) ? (value as readonly Value[]) : undefined;
}

export const collectionMethods: ReadonlyMap<string, Method> = new Map<string, Method>([
    ["add", (target, [item]) => changed(target, (items) => items.set(item, item))],
    ["clear", (target) => changed(target, (items) => items.clear())],
    ["delete", (target, [key]) => target.items.delete(key)],
    ["entries", ({ items }) => [...items.entries()]],
    [
        "forEach",
        ({ items }, [use], { call }) => {
            [...items].forEach(([key, value]) => call(use, [value, key]));
            return undefined;
        },
    ],
    ["get", ({ items }, [key]) => items.get(key)],
    ["has", ({ items }, [key]) => items.has(key)],
    ["keys", ({ items }) => [...items.keys()]],
    ["set", (target, [key, value]) => changed(target, (items) => items.set(key, value))],
    ["values", ({ items }) => [...items.values()]],
]);

/** Methods that change what they are called on. */
export const changingMethods: ReadonlySet<string> = new Set(["add", "clear", "delete", "set"]);

function changed(target: Collection, change: (items: Map<Value, Value>) => unknown): Collection {
    change(target.items);
    return target;
}
