/** Since when pages cannot be shown, because the database or the storage is away. */
export class Outages {
    readonly #known = new Map<string, { since: number; routes: Set<string> }>();

    /** @returns when the first request failed with this message */
    failed(message: string, route: string, now: number): number {
        const outage = this.#known.get(message) ?? { since: now, routes: new Set<string>() };
        outage.routes.add(route);
        this.#known.set(message, outage);
        return outage.since;
    }

    succeeded(route: string): void {
        for (const [message, { routes }] of this.#known) {
            if (routes.has(route)) {
                this.#known.delete(message);
            }
        }
    }
}
