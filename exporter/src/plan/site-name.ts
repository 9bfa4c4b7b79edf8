import { homeRoute } from "../read/files/routes.js";
import { type SitePlan } from "./site-plan.js";

/** A site that is only looked at on this machine has no domain that says anything: its first page names it. */
export function siteNameOf({ settings, targets, pages }: SitePlan): string {
    const first = pages.find(({ route }) => route === homeRoute) ?? pages[0];
    return settings.name ?? (targets.domain === "localhost" ? first?.title : undefined) ?? targets.domain;
}
