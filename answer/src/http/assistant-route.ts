import { clientOf } from "@pulumi-static-export/contract";
import { JsonToSseTransformStream, UI_MESSAGE_STREAM_HEADERS, type UIMessageChunk } from "ai";
import { type FastifyReply, type FastifyRequest } from "fastify";
import { Readable } from "node:stream";
import { Assistant, type AssistantSettings } from "../assistant/assistant.js";
import { maxQuestion, questionOf, type QuestionBody } from "../assistant/question.js";
import { RequestLimits } from "../assistant/request-limits.js";
import { type Reader } from "../site/readers-rules.js";
import { type ExportedSite } from "../site/exported-site.js";

interface AssistantRouteSettings extends AssistantSettings {
    readonly proxies: number;
}

/** Answers questions with a stream of events. */
export class AssistantRoute {
    readonly #assistant: Assistant;
    readonly #limits: RequestLimits;
    #hasReportedProxy = false;

    constructor(
        site: ExportedSite,
        private readonly settings: AssistantRouteSettings,
        private readonly onError: (message: string) => void,
    ) {
        this.#assistant = new Assistant(site, settings, onError);
        const { requestsPerMinute = 20, questionsPerHour = 1000 } = settings;
        this.#limits = new RequestLimits({ perMinute: requestsPerMinute, perHour: questionsPerHour });
    }

    get metrics(): string {
        return this.#assistant.metrics.text();
    }

    answer(
        request: FastifyRequest<{ Params: { domain: string }; Body: QuestionBody }>,
        reply: FastifyReply,
        reader: Reader | undefined,
    ): FastifyReply {
        const question = questionOf(request.body);
        if (question === undefined) {
            const error = `The last message must be a question of at most ${maxQuestion} characters.`;
            return reply.code(400).send({ error });
        }
        this.#reportProxy(request);
        const refusal = this.#limits.add(clientOf(addressOf(request, this.settings.proxies)));
        if (refusal !== undefined) {
            const { whose, waitSeconds } = refusal;
            this.#assistant.metrics.add("refused_total");
            const reason =
                whose === "reader"
                    ? "You have asked too many questions."
                    : "The assistant has reached its limit of questions per hour.";
            return reply
                .code(429)
                .header("retry-after", waitSeconds)
                .send({ error: `${reason} Ask again in ${waitSeconds} seconds.` });
        }
        const gone = new AbortController();
        reply.raw.once("close", () => gone.abort());
        const { domain } = request.params;
        const chunks = this.#assistant.answer(request.body, question, { reader, domain, signal: gone.signal });
        const events = ReadableStream.from<UIMessageChunk>(chunks).pipeThrough(new JsonToSseTransformStream());
        return reply.headers({ ...UI_MESSAGE_STREAM_HEADERS }).send(Readable.fromWeb(events));
    }

    /** Reports once that the limit of one reader is the limit of all readers behind a proxy. */
    #reportProxy({ headers, socket }: FastifyRequest): void {
        if (this.settings.proxies > 0 || headers["x-forwarded-for"] === undefined || this.#hasReportedProxy) {
            return;
        }
        this.#hasReportedProxy = true;
        const address = (socket.remoteAddress ?? "").replace(/^::ffff:/i, "");
        this.onError(
            `Requests from ${address} name their clients in X-Forwarded-For, but the server trusts no proxy, so all its ` +
                "clients share the limit of questions of one reader. If this is your proxy, set the number of proxies " +
                "with --proxies. Otherwise, ignore this message.",
        );
    }
}

/** The client address that the outermost trusted proxy reports; earlier addresses in the header may be forged. */
function addressOf({ headers, socket }: FastifyRequest, proxies: number): string {
    const forwarded = headers["x-forwarded-for"];
    const list = (Array.isArray(forwarded) ? forwarded.join(",") : (forwarded ?? "")).split(",");
    return (proxies > 0 ? list.at(-proxies)?.trim() : undefined) ?? socket.remoteAddress ?? "";
}
