import { exportJobStatuses } from "@pulumi-static-export/contract";
import { Type } from "typebox";
import { DateTime, StringEnum } from "./schema-types.js";

/** The fields that every answer with an export or update has, as `summaryFields` reads them. */
export const progressFields = {
    status: StringEnum(exportJobStatuses, "completed and failed are final."),
    progress: Type.Number({ minimum: 0, maximum: 100, description: "Percent." }),
    pageCount: Type.Integer({ minimum: 0, description: "Pages exported so far." }),
    createdAt: DateTime("When the job was started."),
    updatedAt: DateTime("When the job last changed."),
};

/** Where an answer comes from: times may be dates, and optional fields null. */
type SourceOf<Answer> = {
    [Name in keyof Answer]-?:
        | Required<Answer>[Name]
        | (Required<Answer>[Name] extends string ? Date : never)
        | (Answer extends Record<Name, unknown> ? never : null);
};

/** @returns the fields of the answer's schema, without optional ones that are null */
export function answerFrom<Answer>(
    { properties, required = [] }: { properties: object; required?: readonly string[] },
    source: SourceOf<Answer>,
): Answer {
    const values = source as Readonly<Record<string, unknown>>;
    const shown = Object.keys(properties)
        .filter((name) => values[name] !== null || required.includes(name))
        .map((name) => [name, values[name] instanceof Date ? values[name].toISOString() : values[name]]);
    return Object.fromEntries(shown) as Answer;
}
