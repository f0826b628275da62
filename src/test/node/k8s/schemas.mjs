// Objects against the schemas of their API versions. Two looks: the validators that were made from the
// schemas know types, formats and what is required; the types that were made from them, which the
// TypeScript compiler holds object literals against, know which fields there are.
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const here = dirname(fileURLToPath(import.meta.url));

const MODULES = {
  v1: "kubernetes-models/v1",
  "apps/v1": "kubernetes-models/apps/v1",
  "autoscaling/v2": "kubernetes-models/autoscaling/v2",
  "batch/v1": "kubernetes-models/batch/v1",
  "networking.k8s.io/v1": "kubernetes-models/networking.k8s.io/v1",
  "policy/v1": "kubernetes-models/policy/v1",
  "serving.knative.dev/v1": "@kubernetes-models/knative/serving.knative.dev/v1",
  "keda.sh/v1alpha1": "@kubernetes-models/keda/keda.sh/v1alpha1",
};

// The packages' own files, which are read once.
const parsed = new Map();

const name = (object) => `${object.kind} ${object.metadata?.name}`;

/** What is wrong with the objects, a sentence each; none where all is well. */
export async function complaintsOfSchemas(objects) {
  const unknown = objects.filter((object) => !(object.apiVersion in MODULES));
  const known = objects.filter((object) => object.apiVersion in MODULES);
  const complaints = unknown.map((object) => `${name(object)}: no schema of ${object.apiVersion} is at hand`);
  for (const object of known) {
    const model = (await import(MODULES[object.apiVersion]))[object.kind];
    if (model === undefined) {
      complaints.push(`${name(object)}: ${object.apiVersion} has no such kind`);
      continue;
    }
    try {
      new model(object).validate();
    } catch (error) {
      complaints.push(`${name(object)}: ${error.message}`);
    }
  }
  return complaints.concat(complaintsOfTypes(known));
}

function complaintsOfTypes(objects) {
  const file = join(here, "objects.ts");
  const source = objects
    .map((object, i) => {
      const type = `import("${MODULES[object.apiVersion]}").I${object.kind}`;
      return `export const o${i}: ${type} = ${JSON.stringify(object, null, 1).replaceAll("\n", " ")};`;
    })
    .join("\n");
  const options = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (path) => path === file || fileExists(path);
  host.getSourceFile = (path, version, ...rest) => {
    if (path === file) return ts.createSourceFile(path, source, version, true);
    if (!parsed.has(path)) parsed.set(path, getSourceFile(path, version, ...rest));
    return parsed.get(path);
  };
  const program = ts.createProgram([file], options, host);
  return ts.getPreEmitDiagnostics(program).map((found) => {
    const text = ts.flattenDiagnosticMessageText(found.messageText, " ");
    const line = found.file?.fileName === file ? found.file.getLineAndCharacterOfPosition(found.start).line : -1;
    return line < 0 ? text : `${name(objects[line])}: ${text}`;
  });
}
