import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv, type ErrorObject } from "ajv";
import { isUnknown } from "../engine/unknown-value.js";
import type { SiteChart } from "./chart.js";
import { isPlainRecord } from "./known-record.js";

/** The inputs of a component's Helm release. A value that is not known yet is not checked. */
export interface ReleasePlan {
    releaseName?: unknown;
    namespace?: unknown;
    chart: SiteChart;
    values?: unknown;
}

/**
 * Returns why Helm would refuse a release, or undefined. Helm would do so only after the export job.
 *
 * @param name - of the component
 * @param programFolder - the base of relative paths; without it, the values are not checked
 */
export function findReleaseProblem(name: string, plan: ReleasePlan, programFolder?: string): string | undefined {
    const { releaseName, namespace, chart, values } = plan;
    return (
        (releaseName === undefined
            ? findNameProblem("the component's name, which is also that of the release,", name)
            : findNameProblem("releaseName", releaseName)) ??
        findNameProblem("namespace", namespace, 63) ??
        (programFolder === undefined ? undefined : findValuesProblem(chart, values, programFolder))
    );
}

function findNameProblem(input: string, name: unknown, maxLength = 53): string | undefined {
    const isPlain = typeof name === "string" && !isUnknown(name);
    return !isPlain || (name.length <= maxLength && /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/.test(name))
        ? undefined
        : `${input} must have at most ${maxLength} lower-case letters, digits and hyphens, got "${name}"` +
              (input === "releaseName" || input === "namespace" ? "" : ". Set releaseName");
}

/** Checks values with the schema of a local chart. Values that contain Outputs are left to Helm. */
function findValuesProblem({ chart }: SiteChart, values: unknown, programFolder: string): string | undefined {
    const file = join(programFolder, chart, "values.schema.json");
    if (!isPlainRecord(values) || !/^\.{1,2}(\/|$)/.test(chart) || !existsSync(file)) {
        return undefined;
    }
    const known = withoutNulls(Object.fromEntries(Object.entries(values).filter(([, value]) => isKnown(value))));
    const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });
    const validate = ajv.compile(JSON.parse(readFileSync(file, "utf8")) as object);
    return validate(known) ? undefined : describe((validate.errors ?? []).find(isCertain));
}

function isKnown(value: unknown): boolean {
    return typeof value === "object" && value !== null
        ? (Array.isArray(value) || isPlainRecord(value)) && Object.values(value).every(isKnown)
        : !isUnknown(value);
}

/** Helm removes values that are null, and their defaults. */
function withoutNulls(value: unknown): unknown {
    if (!isPlainRecord(value)) {
        return value;
    }
    const kept = Object.entries(value).filter(([, each]) => each !== null && each !== undefined);
    return Object.fromEntries(kept.map(([key, each]) => [key, withoutNulls(each)]));
}

/** Helm checks the values together with the chart's defaults, so what is missing here may be there. */
function isCertain({ keyword, schemaPath }: ErrorObject): boolean {
    const isAlternative = /\/(anyOf|oneOf|allOf|if|then|else|not|dependencies)\//.test(schemaPath);
    return !isAlternative && !["required", "minProperties", "anyOf", "oneOf", "not", "if"].includes(keyword);
}

function describe(error: ErrorObject | undefined): string | undefined {
    if (error === undefined) {
        return undefined;
    }
    const place = ["values", ...error.instancePath.split("/").slice(1)].join(".");
    const { additionalProperty, allowedValues } = error.params as {
        additionalProperty?: string;
        allowedValues?: unknown[];
    };
    return additionalProperty === undefined
        ? `${place} ${error.message}${allowedValues === undefined ? "" : `: ${allowedValues.join(", ")}`}`
        : `${place}.${additionalProperty} is not a value of the chart`;
}
