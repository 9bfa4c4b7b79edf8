import { jsonOf } from "../../text/json-text.js";
import { asRecord, isRecord, listOf, textOf } from "../../text/json-values.js";
import {
    type HasRoot,
    type Json,
    modelsOf,
    nameOfReference,
    referenceTo,
    resolveReference,
    targetOf,
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
    /** The descriptions and examples of all parts, the strongest first. */
    readonly texts: readonly PartText[];
}

/** The description and the examples in a part of a schema. */
export interface PartText {
    /** Empty for none. */
    readonly text: string;
    readonly examples: readonly unknown[];
    /** The model that is described; undefined for a part that describes this place. */
    readonly model: string | undefined;
}

/** The maximum number of parts of a schema, which only hostile schemas reach. */
const maxParts = 200;

const nothing: MergedSchema = { schema: {}, names: [], repeated: [], parts: [], isComposed: false, texts: [] };

/** Collects the keywords of a schema and its parts. @param around the names of models to leave out */
export function mergedSchema(document: HasRoot, given: unknown, around: readonly string[] = []): MergedSchema {
    if (!isRecord(given)) {
        return nothing;
    }
    const name = nameOfReference(given);
    const names = name === undefined ? [] : [name];
    const isRepeated = name !== undefined && around.includes(name);
    const schema = isRepeated ? besideReference(given) : resolveReference(document, given);
    if (isRepeated && schema?.["allOf"] === undefined) {
        const texts = schema === undefined ? [] : textsOf(document, schema);
        return { ...nothing, repeated: names, texts, ...(schema && { schema, parts: [schema] }) };
    }
    if (schema === undefined) {
        return nothing;
    }
    return schema["allOf"] === undefined
        ? { ...nothing, schema, names, parts: [schema], texts: textsOf(document, given) }
        : composed(document, given, around);
}

/** The keywords next to a reference. */
function besideReference({ $ref, ...others }: Json): Json | undefined {
    void $ref;
    return Object.keys(others).length === 0 ? undefined : others;
}

interface Part {
    readonly schema: Json;
    readonly isNamed: boolean;
    readonly texts: readonly PartText[];
}

/** The texts of a schema, and of the models that its reference leads to. */
function textsOf({ root }: HasRoot, given: Json): PartText[] {
    const texts: PartText[] = [];
    let current: unknown = given;
    let model: string | undefined;
    for (let steps = 0; steps < maxSteps && isRecord(current); steps += 1) {
        const { description, $ref } = current;
        texts.push({ text: textOf(description) ?? "", examples: examplesOfSchema(current), model });
        model = nameOfReference(current);
        current = typeof $ref === "string" ? targetOf(root, $ref) : undefined;
    }
    return texts;
}

/** The maximum number of references that lead to each other. */
const maxSteps = 20;

function composed(document: HasRoot, given: unknown, around: readonly string[]): MergedSchema {
    const names: string[] = [];
    const repeated: string[] = [];
    const found: Part[] = [];
    /** Returns a part after its own parts, from the weakest to the strongest. */
    const partsOf = (reference: unknown): Part[] => {
        const name = nameOfReference(reference);
        const isRepeated = name !== undefined && around.includes(name);
        const isKnown = name !== undefined && [...names, ...repeated].includes(name);
        const isLeftOut = isRepeated || isKnown;
        const schema = isLeftOut ? besideReference(asRecord(reference)) : resolveReference(document, reference);
        if (isRepeated && !isKnown) {
            repeated.push(name);
        }
        if (schema === undefined || found.length >= maxParts) {
            return [];
        }
        const isNamed = name !== undefined && !isLeftOut;
        names.push(...(isNamed ? [name] : []));
        const texts = isRecord(reference) ? textsOf(document, isLeftOut ? schema : reference) : [];
        const part = { schema, isNamed, texts };
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
    const texts = all.toReversed().flatMap((part) => part.texts);
    return { schema, names, repeated, parts: found.map((part) => part.schema), isComposed, texts };
}

/** Texts that describe only the model in which they are written. */
const ofModel = new Set(["title", "description", "deprecated", "example", "examples", "default"]);

function keywordsOf({ allOf, ...schema }: Json, isOfOther: boolean): Json {
    void allOf;
    return isOfOther ? Object.fromEntries(Object.entries(schema).filter(([key]) => !ofModel.has(key))) : schema;
}

const maps = new Set(["properties", "patternProperties", "dependentSchemas", "dependentRequired", "$defs"]);
/** Keywords with one schema. */
const schemas = new Set(
    "items additionalItems unevaluatedItems additionalProperties unevaluatedProperties propertyNames contains contentSchema".split(
        " ",
    ),
);
const alternatives = new Set(["oneOf", "anyOf", "not", "pattern", "multipleOf", "prefixItems", ...schemas]);
const lowerLimit = /^(?:min|exclusiveMin)/;
const upperLimit = /^(?:max|exclusiveMax)/;

/** The examples of a schema, in both forms. */
export function examplesOfSchema({ example, examples }: Json): unknown[] {
    return [example, ...listOf(examples)].filter((value) => value !== undefined);
}

function withoutRepetition(values: readonly unknown[]): unknown[] {
    return [...new Map(values.map((value) => [jsonOf(value), value])).values()];
}

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
        } else if (key === "example" || key === "examples") {
            const [example, ...examples] = [...examplesOfSchema(stronger), ...examplesOfSchema(weaker)];
            Object.assign(schema, { example, examples: withoutRepetition(examples) });
        } else if (key === "required") {
            schema[key] = [...new Set([...listOf(own), ...listOf(other)])];
        } else if (key === "enum") {
            const known = new Set(listOf(other).map((value) => jsonOf(value)));
            const common = listOf(own).filter((value) => known.has(jsonOf(value)));
            schema[key] = common.length === 0 ? [...listOf(own), ...listOf(other)] : common;
        } else if (
            typeof own === "number" &&
            typeof other === "number" &&
            (lowerLimit.test(key) || upperLimit.test(key))
        ) {
            schema[key] = lowerLimit.test(key) ? Math.max(own, other) : Math.min(own, other);
        } else if (key === "if") {
            others.push({ if: other, then: weaker["then"], else: weaker["else"] });
            Object.assign(schema, { then: stronger["then"], else: stronger["else"] });
        } else if (schemas.has(key) && isRecord(own) && isRecord(other)) {
            schema[key] = ofBoth(other, own);
        } else if (schemas.has(key) && typeof other === "boolean") {
            schema[key] = own === true ? other : own;
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
            all[key] = ofBoth(before, value);
        } else {
            all[key] = value;
        }
    }
    return all;
}

function ofBoth(weaker: Json, stronger: Json): Json {
    return { allOf: [weaker, stronger].map((each) => ({ allOf: [each] })) };
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
    return (children.get(name) ?? []).map((child) => ({ $ref: referenceTo(child) }));
}
