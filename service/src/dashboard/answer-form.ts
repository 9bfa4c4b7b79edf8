import { type FastifyReply, type FastifyRequest } from "fastify";
import { type VNode } from "preact";
import { PageError } from "./internal-api.js";
import { sendPage } from "./render-page.js";

/**
 * Does what a form asks for, or shows its page again.
 *
 * @param act - asks the API @returns where the person goes next
 * @param show - the page with what was typed, and why it was refused
 */
export async function answerForm(
    request: FastifyRequest,
    reply: FastifyReply,
    act: () => Promise<string>,
    show: (error: string) => VNode | Promise<VNode>,
): Promise<FastifyReply> {
    const refuse = async (status: number, error: string) => sendPage(reply.code(status), await show(error));
    if (request.validationError !== undefined) {
        return refuse(400, request.validationError.message);
    }
    try {
        return await reply.redirect(await act(), 303);
    } catch (error) {
        if (error instanceof PageError && error.statusCode < 500) {
            return refuse(error.statusCode, error.message);
        }
        throw error;
    }
}
