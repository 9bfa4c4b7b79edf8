import { beginningOf } from "@pulumi-static-export/contract";
import { type FastifyError, type FastifySchemaValidationError } from "fastify";
import { StorageUnavailableError } from "../../storage/bundle-storage.js";
import { type ServiceLogger } from "../../shared/logger.js";
import { toOneLine } from "@pulumi-static-export/exporter";
import { DatabaseDamagedError, DatabaseUnavailableError } from "../../database/database.js";
import { type App } from "./typed-app.js";

/** The approximate time that a database or a storage needs to restart. */
const unavailableSeconds = 5;

/** Gives every error the contract's `Error` body; internal errors are logged and not shown. */
export function addErrorAnswers(app: App, logger: ServiceLogger): void {
    app.setErrorHandler((error: FastifyError, request, reply) => {
        const status = error.statusCode ?? 500;
        if (status < 500) {
            void reply.code(status).send({ error: clientErrorMessage(error) });
            return;
        }
        const unavailable = unavailableMessage(error);
        if (unavailable !== undefined) {
            logger.error(`${request.method} ${pathOf(request.url)}: ${error.message}`, { request: request.id });
            void reply.code(503).header("retry-after", unavailableSeconds);
            void reply.send({ error: unavailable });
            return;
        }
        if (error instanceof DatabaseDamagedError) {
            logger.error(`${request.method} ${pathOf(request.url)}: ${error.message}`, { request: request.id });
            void reply
                .code(500)
                .send({ error: "The service's database is damaged. The service's log says what to do." });
            return;
        }
        logger.error(`${request.method} ${pathOf(request.url)} failed: ${error.stack ?? error.message}`, {
            request: request.id,
        });
        void reply.code(status).send({ error: "The service failed unexpectedly; its log says why." });
    });
}

/** What clients read when the database or the storage cannot be used; undefined for other errors. */
export function unavailableMessage(error: Error): string | undefined {
    if (error instanceof DatabaseUnavailableError) {
        const state = error.reason === undefined ? "cannot be reached" : "cannot be used";
        const reason = error.reason === undefined ? "" : ` (${error.reason})`;
        return `The service's database ${state} at the moment${reason}: try again.`;
    }
    return error instanceof StorageUnavailableError
        ? "The service's storage cannot be reached at the moment: try again."
        : undefined;
}

function clientErrorMessage(error: FastifyError): string {
    switch (error.code) {
        case "FST_ERR_CTP_INVALID_MEDIA_TYPE":
            return "The body must be JSON, sent with Content-Type: application/json.";
        case "FST_ERR_CTP_INVALID_JSON_BODY":
            return "The body is not valid JSON.";
        default:
            return sentence(error.message);
    }
}

/** Covers addresses that the router rejects: the router's own messages would show the whole URL. */
export function addressErrorMessage(error: FastifyError, url: string): string {
    return error.code === "FST_ERR_MAX_PARAM_LENGTH"
        ? `A part of the path ${pathOf(url)} is too long.`
        : `The path ${pathOf(url)} cannot be decoded: each % must begin the code of a character.`;
}

const maxShownName = 100;

/** Describes the first violated rule with the schema's description of the field. */
export function describeSchemaErrors(errors: FastifySchemaValidationError[], dataVar: string): Error {
    const [error] = errors as (FastifySchemaValidationError & {
        parentSchema?: { description?: string; properties?: object };
    })[];
    if (error === undefined) {
        return new Error(`The ${dataVar} is invalid.`);
    }
    const field = error.instancePath.replaceAll("/", ".").replace(/^\./, "");
    const { parentSchema } = error;
    if (error.keyword === "required") {
        return new Error(`The ${dataVar} lacks the field "${String(error.params["missingProperty"])}".`);
    }
    const names = Object.keys(parentSchema?.properties ?? {}).join(", ");
    if (error.keyword === "additionalProperties") {
        const unknown = beginningOf(toOneLine(String(error.params["additionalProperty"])), maxShownName);
        return new Error(`The ${dataVar} has an unknown field "${unknown}". Its fields are ${names}.`);
    }
    if (error.keyword === "minProperties") {
        return new Error(`The ${dataVar} must have at least one of the fields ${names}.`);
    }
    if (field === "") {
        return new Error(`The ${dataVar} must be a JSON object.`);
    }
    const rule = parentSchema?.description;
    const reason = rule === undefined ? (error.message ?? "is invalid") : `must be ${rule}`;
    return new Error(sentence(`${field} ${reason}`));
}

/** Returns only the path, on one line, because the query may contain a signature. */
export function pathOf(url: string): string {
    return toOneLine(url.split("?", 1)[0] ?? "");
}

function sentence(text: string): string {
    return text.endsWith(".") ? text : `${text}.`;
}
