import { type Build, type Builder, type Project, type Since } from "./builders.js";
import { checkChange, checkOutput } from "./check-output.js";
import { type Corpus } from "./corpus.js";
import { type Usage } from "./measured-process.js";
import { type Row } from "./table.js";

/** The times of one builder in each round. Checks every build's output; an error ends the benchmark. */
export class Rounds {
    private readonly cold: Usage[] = [];
    private readonly later = new Map<Since, Usage[]>();

    constructor(private readonly builder: Builder) {
        for (const since of builder.later) {
            this.later.set(since, []);
        }
    }

    async run(corpus: Corpus): Promise<void> {
        await this.builder.withProject(corpus, async (project) => {
            await build(project, corpus, this.cold);
            for (const [since, usages] of this.later) {
                const change = since === "one page changed" ? await corpus.changeOnePage(project.pagesDir) : undefined;
                const { outDir } = await build(project, corpus, usages);
                if (change !== undefined) {
                    await checkChange(outDir, change);
                }
            }
        });
    }

    /** Returns the times of cold builds, compared with those of another builder. */
    coldRow(other: Rounds): Row {
        return { what: this.builder.name, usages: this.cold, comparedTo: other.cold };
    }

    /** Returns the times of the later builds, compared with the builder's own cold builds. */
    laterRows(): Row[] {
        const { name } = this.builder;
        return [...this.later].map(([since, usages]) => ({ what: `${name}: ${since}`, usages, comparedTo: this.cold }));
    }
}

async function build(project: Project, corpus: Corpus, usages: Usage[]): Promise<Build> {
    const built = await project.build();
    await checkOutput(built.outDir, corpus);
    usages.push(built.usage);
    return built;
}
