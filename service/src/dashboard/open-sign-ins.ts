import { type FastifyReply, type FastifyRequest } from "fastify";
import { type DashboardParts } from "./dashboard-parts.js";
import { type StartedSignIn } from "./sign-in/identity-provider.js";
import { Seal } from "./sign-in/seal.js";

/** How long a person may take at the provider. */
const openMs = 15 * 60_000;
/** Browsers drop a cookie of more than 4096 characters. */
const maxCookieCharacters = 3800;
const maxTabs = 10;

/** A sign-in that began in a tab of the browser. */
type OpenSignIn = StartedSignIn & { next: string };

/** The sign-ins that began in a browser and have not ended, the newest last: a person may begin in several tabs. */
export class OpenSignIns {
    readonly #cookies: DashboardParts["cookies"];
    readonly #seal: Seal;

    constructor(parts: DashboardParts) {
        this.#cookies = parts.cookies;
        this.#seal = new Seal("sign-in", parts);
    }

    async add(request: FastifyRequest, reply: FastifyReply, started: OpenSignIn): Promise<void> {
        this.#keep(reply, [...(await this.#of(request)), started]);
    }

    /** Removes and returns the sign-in that began with this state. Those of other tabs stay, whatever the state is. */
    async take(request: FastifyRequest, reply: FastifyReply, state: string | null): Promise<OpenSignIn | undefined> {
        const open = await this.#of(request);
        const own = open.find((each) => each.state === state);
        if (own !== undefined) {
            this.#keep(
                reply,
                open.filter((each) => each !== own),
            );
        }
        return own;
    }

    async #of(request: FastifyRequest): Promise<readonly OpenSignIn[]> {
        const content = await this.#seal.open(request.cookies[this.#cookies.name("sign_in")]);
        return (content as { open?: readonly OpenSignIn[] } | undefined)?.open ?? [];
    }

    #keep(reply: FastifyReply, open: readonly OpenSignIn[]): void {
        const cookie = this.#seal.close({ open }, openMs);
        if (open.length > maxTabs || (open.length > 1 && cookie.length > maxCookieCharacters)) {
            this.#keep(reply, open.slice(1));
        } else if (open.length > 0) {
            void reply.setCookie(this.#cookies.name("sign_in"), cookie, this.#cookies.settings());
        } else {
            void reply.clearCookie(this.#cookies.name("sign_in"), this.#cookies.settings());
        }
    }
}
