import { beginningOf } from "@pulumi-static-export/contract";
import { type ModelMessage } from "ai";
import { type Static, Type } from "typebox";

/** The maximum length of a question, in characters. */
export const maxQuestion = 4000;
/**
 * The maximum number of earlier messages; older ones are omitted, because the endpoint reads all messages again with
 * each question. Clients may send the whole conversation.
 */
const maxEarlier = 10;
const maxContext = 8000;

/** The body has the same format as on the platform, with AI SDK UI messages. Parts that are not text are omitted. */
export const questionBody = Type.Object({
    fp: Type.Optional(Type.String({ maxLength: 200 })),
    threadId: Type.Optional(Type.String({ maxLength: 200 })),
    messages: Type.Array(
        Type.Object({
            role: Type.String({ maxLength: 20 }),
            content: Type.Optional(Type.String()),
            parts: Type.Optional(Type.Array(Type.Object({ type: Type.String(), text: Type.Optional(Type.String()) }))),
        }),
        { minItems: 1 },
    ),
    retrievalPageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 20 })),
    filter: Type.Optional(
        Type.Object({ language: Type.Optional(Type.String()), version: Type.Optional(Type.String()) }),
    ),
    context: Type.Optional(
        Type.Array(
            Type.Object({
                type: Type.Union([Type.Literal("code"), Type.Literal("textSelection")]),
                value: Type.String({ maxLength: maxContext }),
                path: Type.Optional(Type.String({ maxLength: 1000 })),
                elementId: Type.Optional(Type.String({ maxLength: 200 })),
            }),
            { maxItems: 10 },
        ),
    ),
    currentPath: Type.Optional(Type.String({ maxLength: 1000 })),
});

interface Turn {
    readonly role: "user" | "assistant";
    readonly content: string;
}

export type QuestionBody = Static<typeof questionBody>;

/** @returns the question, which is the last message; undefined if it is missing or too long */
export function questionOf({ messages }: QuestionBody): string | undefined {
    const last = messages.at(-1);
    const text = last?.role === "user" ? textOf(last).trim() : "";
    return text === "" || text.length > maxQuestion ? undefined : text;
}

/** The conversation for the model: the text of questions and answers, and the reader's page and selection. */
export function modelMessages(body: QuestionBody, question: string): ModelMessage[] {
    const earlier = body.messages
        .slice(0, -1)
        .filter(({ role }) => role === "user" || role === "assistant")
        .slice(-maxEarlier)
        .map((message) => ({
            role: message.role as Turn["role"],
            content: beginningOf(textOf(message), maxContext),
        }))
        .filter(({ content }) => content.trim() !== "");
    const places = body.currentPath === undefined ? [] : [`I am looking at the page ${body.currentPath}.`];
    const selected = (body.context ?? []).map(({ type, value, path }) => {
        const kind = type === "code" ? "this code" : "this text";
        return `I have selected ${kind}${path === undefined ? "" : ` on the page ${path}`}:\n\n${value}`;
    });
    return inTurns([...earlier, { role: "user", content: [...places, ...selected, question].join("\n\n") }]);
}

/** Many models accept only turns that a user begins: questions without an answer are joined with the next one. */
function inTurns(messages: readonly Turn[]): Turn[] {
    const turns: Turn[] = [];
    for (const { role, content } of messages) {
        const last = turns.at(-1);
        if (last?.role === role) {
            turns[turns.length - 1] = { role, content: `${last.content}\n\n${content}` };
        } else if (last !== undefined || role === "user") {
            turns.push({ role, content });
        }
    }
    return turns;
}

function textOf({ content, parts }: QuestionBody["messages"][number]): string {
    const texts = (parts ?? []).flatMap(({ type, text }) => (type === "text" && text !== undefined ? [text] : []));
    return (parts === undefined ? (content ?? "") : texts.join("\n")).toWellFormed();
}
