import { type FastifyRequest } from "fastify";
import { Type } from "typebox";

export const Text = Type.Optional(Type.String({ maxLength: 100_000 }));
/** A box that is ticked alone is one text, and none is nothing: the API says what is missing. */
export const Scopes = Type.Optional(Type.Union([Type.String(), Type.Array(Type.String())]));

/** The fields of a form, whatever was sent. */
export function valuesOf<Name extends string>(body: unknown, ...names: readonly Name[]) {
    const sent = (body ?? {}) as Readonly<Record<string, unknown>>;
    const text = (value: unknown): string => (typeof value === "string" ? value : "");
    const values = Object.fromEntries(names.map((name) => [name, text(sent[name])])) as Record<Name, string>;
    return { ...values, scopes: [sent["scopes"] ?? []].flat().map(text) };
}

export function linesOf(text: string): string[] {
    return text
        .split(/[\s,]+/)
        .map((line) => line.trim())
        .filter((line) => line !== "");
}

export function textOf({ body }: FastifyRequest, name: string): string {
    const value = (body as Record<string, unknown> | undefined)?.[name];
    return typeof value === "string" ? value : "";
}

/** Each form has its own key, so that a double click acts once. */
export function onceOf(request: FastifyRequest): { idempotencyKey?: string } {
    const key = textOf(request, "request");
    return /^[\w-]{8,100}$/.test(key) ? { idempotencyKey: key } : {};
}
