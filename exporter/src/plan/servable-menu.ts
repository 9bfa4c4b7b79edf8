import { type ExportFeatures } from "../read/settings/deployment.js";
import {
    menuOptions,
    type MenuNeed,
    type MenuOption,
    type OwnMenuOption,
    type PageMenu,
} from "../read/settings/page-menu.js";
import { type SiteSettings } from "../read/settings/site-settings.js";
import { type SiteWarning } from "../problems/warnings.js";

const lacks: Readonly<Record<MenuNeed, string>> = {
    assistant: "an export has no assistant",
    aiTools: "an air-gapped deployment has no way to AI tools outside of its network",
    mcp: "the site has no MCP server: let `static-export answer` serve its address, and export it with --answer",
};

/** The menu of pages without the options that the deployment cannot serve, each of which is a warning. */
export function servableMenu(
    menu: PageMenu | undefined,
    { aiTools, mcp }: ExportFeatures,
): { readonly settings: Pick<SiteSettings, "pageMenu">; readonly problems: readonly SiteWarning[] } {
    if (menu?.options === undefined) {
        return { settings: {}, problems: [] };
    }
    const has: Readonly<Record<MenuNeed, boolean>> = { assistant: false, aiTools, mcp };
    const lackOf = (option: MenuOption | OwnMenuOption) => {
        const need = needOf(option);
        return need === undefined || has[need] ? undefined : lacks[need];
    };
    return {
        settings: { pageMenu: { ...menu, options: menu.options.filter((option) => lackOf(option) === undefined) } },
        problems: menu.options.flatMap((option): SiteWarning[] => {
            const name = typeof option === "string" ? option : option.title;
            const lack = lackOf(option);
            const reason = `the option "${name}" of contextual.options is left out: ${lack}`;
            return lack === undefined ? [] : [{ kind: "settings", file: "docs.json", line: undefined, reason }];
        }),
    };
}

function needOf(option: MenuOption | OwnMenuOption): MenuNeed | undefined {
    if (typeof option === "string") {
        return menuOptions[option];
    }
    return option.query.some(([, value]) => value.includes("$mcp")) ? "mcp" : undefined;
}
