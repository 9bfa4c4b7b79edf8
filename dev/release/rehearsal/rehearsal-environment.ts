import { cpSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import {
    ensureDebianPackages,
    ensurePulumi,
    ensurePythonPrograms,
    ensureTool,
    findGo,
    pythonPrograms,
    run,
} from "@pulumi-static-export/toolchain";
import { javaPackages } from "../artifacts/java-package.js";

interface RehearsalPlaces {
    /** A temporary folder. */
    readonly work: string;
    readonly owner: string;
    /** Replaces PyPI for the Python package. */
    readonly pythonIndex: string;
    /** Replaces Maven Central for the Java package. */
    readonly mavenRepository: string;
    /** A git repository that replaces the one on GitHub. */
    readonly repository: string;
}

/**
 * Provides an empty home folder, the toolchain's tools on PATH, and registries on this machine in place of public ones.
 */
export async function rehearsalEnvironment(places: RehearsalPlaces): Promise<Record<string, string>> {
    const { work, owner, pythonIndex, mavenRepository, repository } = places;
    const { env: engine } = await ensurePulumi();
    const hosts = await Promise.all(
        (
            [
                "helm",
                "cosign",
                "pulumi-language-yaml",
                "pulumi-language-python",
                "pulumi-language-go",
                "pulumi-language-java",
            ] as const
        ).map((name) => ensureTool(name)),
    );
    const pythonFolder = await ensurePythonPrograms(pythonPrograms);
    const pythonPackages = join(work, "python-packages");
    const [moduleCache = "", buildCache = "", proxy = ""] = (
        await run(await findGo("the programs in Go"), ["env", "GOMODCACHE", "GOCACHE", "GOPROXY"])
    ).split("\n");
    await configureMaven(join(work, "home"), mavenRepository);
    const address = `https://github.com/${owner}/pulumi-static-export`;
    return {
        ...engine,
        PATH: [pythonFolder, ...hosts.map((host) => dirname(host)), engine["PATH"]].join(delimiter),
        HOME: join(work, "home"),
        npm_config_cache: join(work, "home", ".npm"),
        npm_config_audit: "false",
        npm_config_fund: "false",
        PULUMI_HOME: join(work, "home", ".pulumi"),
        PULUMI_CONFIG_PASSPHRASE: "rehearsal",
        // The programs come from the guide; a spec checks their types.
        PULUMI_NODEJS_TRANSPILE_ONLY: "true",
        STATIC_EXPORT_JOURNAL_DIR: join(work, "journal"),
        // Pulumi is already installed for Python, so only our package comes from the index.
        PIP_INDEX_URL: pythonIndex,
        PIP_NO_DEPS: "1",
        PIP_TARGET: pythonPackages,
        PIP_DISABLE_PIP_VERSION_CHECK: "1",
        PYTHONPATH: pythonPackages,
        // Maven ignores HOME.
        MAVEN_OPTS: `-Duser.home=${join(work, "home")}`,
        // Go downloads our module from the repository directly. Go's cache contains Pulumi's modules, compiled with
        // these settings.
        GOPRIVATE: `github.com/${owner}/*`,
        GIT_CONFIG_COUNT: "1",
        GIT_CONFIG_KEY_0: `url.file://${repository}.insteadOf`,
        GIT_CONFIG_VALUE_0: address,
        GOMODCACHE: join(work, "go-modules"),
        GOPROXY: `file://${join(moduleCache, "cache", "download")},${proxy}`,
        GOCACHE: buildCache,
        CGO_ENABLED: "0",
        // Without this flag, Go would write-protect modules, and they could not be removed.
        GOFLAGS: "-buildvcs=false -trimpath -modcacherw",
        GOWORK: "off",
    };
}

/** Copies Maven's cache with Pulumi's Java packages, so that only our package comes from the repository. */
async function configureMaven(home: string, repository: string): Promise<void> {
    await ensureDebianPackages(javaPackages);
    const settings = join(home, ".m2");
    mkdirSync(settings, { recursive: true });
    const cache = join(homedir(), ".m2", "repository");
    if (existsSync(cache)) {
        cpSync(cache, join(settings, "repository"), { recursive: true });
    }
    const place = `<repository><id>rehearsal</id><url>${repository}</url></repository>`;
    const profile = `<profile><id>rehearsal</id><repositories>${place}</repositories></profile>`;
    const active = "<activeProfiles><activeProfile>rehearsal</activeProfile></activeProfiles>";
    writeFileSync(join(settings, "settings.xml"), `<settings><profiles>${profile}</profiles>${active}</settings>\n`);
}
