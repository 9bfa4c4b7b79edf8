import { type Properties } from "./html-attributes.js";

export const runsNoScript = "is left out: an export runs no script of a page";

/** Whether browsers would run a `<script>` with these attributes: others hold data, such as JSON-LD. */
export function isRunByBrowsers({ type }: Properties): boolean {
    return typeof type !== "string" || /^\s*$|script|^module$/i.test(type);
}

/** Whether an attribute is an event handler, of HTML (`onclick`) or of React (`onClick`). */
export function isEventHandler(name: string): boolean {
    return /^on[a-z]{3}/i.test(name);
}
