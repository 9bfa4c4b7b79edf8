import path from "node:path";
import { run } from "@pulumi-static-export/toolchain";
import { createRootFolder } from "./root-folder.js";

/** The name of an image, and how it runs. */
export interface ImageSettings {
    /** Full name with the tag, as pods refer to it. */
    readonly reference: string;
    readonly user: string;
    /** The entry point, which receives the command or a pod's `args` as its arguments. @default none */
    readonly entrypoint?: readonly string[];
    readonly command: readonly string[];
    readonly stopSignal: string;
}

/** A folder for building an image. */
interface BuildPlace {
    readonly folder: string;
    /** The folder's path for the programs that `run` starts in the node's root folder. */
    readonly inside: string;
    run(command: readonly string[]): Promise<unknown>;
    /** Additional options of `umoci insert`. @default none */
    readonly insertOptions?: readonly string[];
}

export function imageName({ reference }: Pick<ImageSettings, "reference">): string {
    return reference.slice(0, reference.lastIndexOf(":"));
}

export function imageTag({ reference }: Pick<ImageSettings, "reference">): string {
    return reference.slice(reference.lastIndexOf(":") + 1);
}

/** Returns the folder for the image's files. */
export function imageRootOf(buildFolder: string): string {
    return path.join(buildFolder, "rootfs");
}

/** Writes the archive of an OCI layout whose only layer contains the files of the folder. */
export async function archiveImage(settings: ImageSettings, place: BuildPlace, archive: string): Promise<void> {
    await writeImageLayout(settings, place);
    await run("tar", ["-cf", archive, "-C", path.join(place.folder, "layout"), "."]);
}

/** Writes the folder `layout`, an OCI layout, with the image's tag. */
async function writeImageLayout(settings: ImageSettings, place: BuildPlace): Promise<void> {
    const layout = `${place.inside}/layout`;
    // containerd appends this tag to the image's name when it imports the archive.
    const image = ["--image", `${layout}:${imageTag(settings)}`];
    const { entrypoint = [], command } = settings;
    const { insertOptions = [] } = place;
    await place.run(["umoci", "init", "--layout", layout]);
    await place.run(["umoci", "new", ...image]);
    await place.run(["umoci", "insert", ...image, ...insertOptions, imageRootOf(place.inside), "/"]);
    await place.run([
        ...["umoci", "config", ...image, "--config.user", settings.user],
        ...["--config.stopsignal", settings.stopSignal, "--config.workingdir", "/"],
        ...["--config.env", "PATH=/usr/sbin:/usr/bin:/sbin:/bin"],
        ...entrypoint.flatMap((word) => ["--config.entrypoint", word]),
        ...command.flatMap((word) => ["--config.cmd", word]),
    ]);
    await place.run(["umoci", "gc", "--layout", layout]);
}

/**
 * Writes an image into a folder, with the umoci of this machine and without root.
 *
 * @param folder - afterwards contains the image in `layout`, an OCI layout, and its files in `rootfs`
 * @param fill - puts the image's files into its root folder, which contains only the empty system folders
 */
export async function buildImageLayout(
    settings: ImageSettings,
    folder: string,
    fill: (rootFolder: string) => Promise<void>,
): Promise<string> {
    await createRootFolder(imageRootOf(folder));
    await fill(imageRootOf(folder));
    await writeImageLayout(settings, {
        folder,
        inside: folder,
        insertOptions: ["--rootless"],
        run: ([program = "", ...args]) => run(program, args),
    });
    return path.join(folder, "layout");
}
