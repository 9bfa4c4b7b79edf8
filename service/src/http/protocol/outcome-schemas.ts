import { exportCounts } from "@pulumi-static-export/contract/api";
import { Type } from "typebox";
import { closed, DateTime, declared, StringEnum } from "./schema-types.js";

const FailureListBody = Type.Object(
    {
        since: DateTime("The beginning of the period."),
        failures: Type.Array(
            Type.Object(
                {
                    kind: StringEnum(["export", "update"] as const, "What failed."),
                    domain: Type.String({ description: "The site. Failures of its previews count, too." }),
                    reason: Type.String({
                        description: "The error, with … in place of names, numbers and quoted text. May be empty.",
                    }),
                    count: Type.Integer({ minimum: 1, description: "How many jobs failed for this reason." }),
                    firstAt: DateTime("When the first of them failed."),
                    lastAt: DateTime("When the last of them failed."),
                    jobId: Type.String({ description: "The last of them." }),
                    error: Type.String({ description: "The error of the last of them, at most 500 characters." }),
                },
                closed,
            ),
            { description: "The reason of the newest failure first, at most 200." },
        ),
        reasons: Type.Integer({ minimum: 0, description: "How many reasons there are." }),
        jobs: Type.Integer({ minimum: 0, description: "How many failed jobs were grouped." }),
        isComplete: Type.Boolean({
            description: "False if there are more: only the newest 2000 of each kind are grouped.",
        }),
    },
    closed,
);

const StatisticsBody = Type.Object(
    {
        since: DateTime("The beginning of the counted period."),
        rows: Type.Array(
            Type.Object(
                {
                    ...declared(exportCounts),
                    keyId: Type.Optional(Type.String({ description: "Absent for the service's own key." })),
                    cancelled: Type.Integer({
                        description: "Exports that somebody cancelled, or whose builds have skipped their commits.",
                    }),
                },
                closed,
            ),
        ),
    },
    closed,
);

/** The response bodies about how jobs ended, by their names in the OpenAPI document. */
export const outcomeSchemas = { FailureList: FailureListBody, Statistics: StatisticsBody };
