import { jsonOf } from "../../text/json-text.js";
import { asRecord, isRecord, listOf } from "../../text/json-values.js";
import {
    type HasRoot,
    type Json,
    modelsOf,
    nameOfReference,
    pointerPart,
    resolveReference,
} from "../documents/references.js";

/** A schema together with the parts that it consists of (`allOf`). */
export interface MergedSchema {
    /** All keywords; `allOf` has only those that a schema cannot have twice, such as a second `oneOf`. */
    readonly schema: Json;
    /** The names of the models that it consists of, its own name first. */
    readonly names: readonly string[];
    /** The names of parts that are left out, because they are around the schema. */
    readonly repeated: readonly string[];
    readonly parts: readonly Json[];
    /** Whether several parts have fields, so that the texts of one part do not describe the whole. */
    readonly isComposed: boolean;
}

/** The maximum number of parts of a schema, which only hostile schemas reach. */
const maxParts = 200;

const nothing: MergedSchema = { schema: {}, names: [], repeated: [], parts: [], isComposed: false };

/** Collects the keywords of a schema and its parts. @param around the names of models to leave out */
export function mergedSchema(document: HasRoot, given: unknown, around: readonly string[] = []): MergedSchema {
    if (!isRecord(given)) {
        return nothing;
    }
    const name = nameOfReference(given);
    const names = name === undefined ? [] : [name];
    if (name !== undefined && around.includes(name)) {
        return { ...nothing, repeated: names };
    }
    const schema = resolveReference(document, given);
    if (schema === undefined) {
        return nothing;
    }
    return schema["allOf"] === undefined
        ? { ...nothing, schema, names, parts: [schema] }
        : composed(document, given, around);
}

interface Part {
    readonly schema: Json;
    readonly isNamed: boolean;
}

function composed(document: HasRoot, given: unknown, around: readonly string[]): MergedSchema {
    const names: string[] = [];
    const repeated: string[] = [];
    const found: Part[] = [];
    /** Returns a part after its own parts, from the weakest to the strongest. */
    const partsOf = (reference: unknown): Part[] => {
        const name = nameOfReference(reference);
        const isRepeated = name !== undefined && around.includes(name);
        const isKnown = name !== undefined && [...names, ...repeated].includes(name);
        const schema = isRepeated || isKnown ? undefined : resolveReference(document, reference);
        if (isRepeated && !isKnown) {
            repeated.push(name);
        }
        if (schema === undefined || found.length >= maxParts) {
            return [];
        }
        names.push(...(name === undefined ? [] : [name]));
        const part = { schema, isNamed: name !== undefined };
        found.push(part);
        // A schema that is written here says more about its place than a model, which can be in many places.
        const inner = listOf(schema["allOf"]);
        const [models, others] = [true, false].map((isModel) =>
            inner.filter((each) => (nameOfReference(each) !== undefined) === isModel),
        );
        return [...[...(models ?? []), ...(others ?? [])].flatMap(partsOf), part];
    };
    const all = partsOf(given);
    const isComposed = found.filter(({ schema }) => isRecord(schema["properties"])).length > 1;
    const schema = all
        .map((part) => keywordsOf(part.schema, part !== found[0] && isComposed && part.isNamed))
        .reduce<Json>((weaker, stronger) => combined(stronger, weaker), {});
    return { schema, names, repeated, parts: found.map((part) => part.schema), isComposed };
}

/** Texts that describe only the model in which they are written. */
const ofModel = new Set(["title", "description", "deprecated", "example", "examples", "default"]);

function keywordsOf({ allOf, ...schema }: Json, isOfOther: boolean): Json {
    void allOf;
    return isOfOther ? Object.fromEntries(Object.entries(schema).filter(([key]) => !ofModel.has(key))) : schema;
}

const maps = new Set(["properties", "patternProperties", "dependentSchemas", "dependentRequired", "$defs"]);
const alternatives = new Set(["oneOf", "anyOf", "not", "pattern", "multipleOf"]);
const lowerLimit = /^(?:min|exclusiveMin)/;
const upperLimit = /^(?:max|exclusiveMax)/;

/** All keywords of two schemas; the fields of the weaker one are listed first. */
function combined(stronger: Json, weaker: Json): Json {
    const schema: Record<string, unknown> = { ...weaker, ...stronger };
    const others = [...listOf(stronger["allOf"]), ...listOf(weaker["allOf"])];
    for (const [key, other] of Object.entries(weaker)) {
        const own = stronger[key];
        if (own === undefined || jsonOf(own) === jsonOf(other)) {
            continue;
        }
        if (maps.has(key)) {
            schema[key] = withBoth(other, own);
        } else if (key === "required") {
            schema[key] = [...new Set([...listOf(own), ...listOf(other)])];
        } else if (key === "enum") {
            const known = new Set(listOf(other).map((value) => jsonOf(value)));
            const common = listOf(own).filter((value) => known.has(jsonOf(value)));
            schema[key] = common.length === 0 ? own : common;
        } else if (
            typeof own === "number" &&
            typeof other === "number" &&
            (lowerLimit.test(key) || upperLimit.test(key))
        ) {
            schema[key] = lowerLimit.test(key) ? Math.max(own, other) : Math.min(own, other);
        } else if (key === "if") {
            others.push({ if: other, then: weaker["then"], else: weaker["else"] });
        } else if (alternatives.has(key)) {
            const [first, second] = stronger["discriminator"] === undefined ? [other, own] : [own, other];
            schema[key] = first;
            others.push({ [key]: second });
        }
    }
    return others.length === 0 ? schema : { ...schema, allOf: others };
}

/** The entries of two maps; an entry of both consists of both. */
function withBoth(weaker: unknown, stronger: unknown): Json {
    const all: Record<string, unknown> = { ...asRecord(weaker) };
    for (const [key, value] of Object.entries(asRecord(stronger))) {
        const before = Object.hasOwn(all, key) ? all[key] : undefined;
        if (Array.isArray(before) && Array.isArray(value)) {
            all[key] = [...new Set([...(before as unknown[]), ...(value as unknown[])])];
        } else if (isRecord(before) && isRecord(value) && jsonOf(before) !== jsonOf(value)) {
            all[key] = { allOf: [before, value].map((each) => ({ allOf: [each] })) };
        } else {
            all[key] = value;
        }
    }
    return all;
}

const childrenOfRoots = new WeakMap<Json, ReadonlyMap<string, readonly string[]>>();

/**
 * The models that extend a parent with a discriminator, as references. A parent that lists its variants names them
 * itself.
 */
export function childrenOf({ root }: HasRoot, { schema, names: [name] }: MergedSchema): Json[] {
    const { discriminator, oneOf, anyOf } = schema;
    if (name === undefined || discriminator === undefined || oneOf !== undefined || anyOf !== undefined) {
        return [];
    }
    let children = childrenOfRoots.get(root);
    if (children === undefined) {
        const found = new Map<string, string[]>();
        for (const [child, model] of Object.entries(modelsOf(root))) {
            for (const parent of listOf(asRecord(model)["allOf"]).map(nameOfReference)) {
                if (parent !== undefined && parent !== child) {
                    found.set(parent, [...(found.get(parent) ?? []), child]);
                }
            }
        }
        children = found;
        childrenOfRoots.set(root, children);
    }
    return (children.get(name) ?? []).map((child) => ({ $ref: `#/components/schemas/${pointerPart(child)}` }));
}
