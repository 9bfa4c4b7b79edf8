import { randomBytes } from "node:crypto";
import { type Caller } from "./protocol/caller.js";

/** Lets pages of this process send requests for the person who has signed in. Each ticket is valid for one request. */
export class CallerTickets {
    readonly #callers = new Map<string, Caller>();

    issue(caller: Caller): string {
        const ticket = randomBytes(24).toString("base64url");
        this.#callers.set(ticket, caller);
        return ticket;
    }

    redeem(ticket: string): Caller | undefined {
        const caller = this.#callers.get(ticket);
        this.#callers.delete(ticket);
        return caller;
    }
}
