import { cpSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** docs/images/favicon.svg in a format that NuGet accepts. */
const icon = fileURLToPath(new URL("nuget-icon.png", import.meta.url));

/**
 * Writes the C# project that Pulumi generated to the folder `dotnet/` of a release. The release workflow builds the
 * project's NuGet package, because the build needs the .NET SDK.
 *
 * @param sdk - the generated project
 */
export function writeDotnetProject(release: string, sdk: string): void {
    const project = join(release, "dotnet");
    cpSync(sdk, project, { recursive: true });
    // Pulumi's generator would download this file.
    cpSync(icon, join(project, "logo.png"));
}
