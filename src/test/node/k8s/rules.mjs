// What no schema says: that objects which name each other fit, that pods keep to the profile
// "restricted", and that the service knows the settings that it is given.

// What Knative lets a Service say of its pods, without features that a cluster may have switched off.
const KNATIVE_POD = ["serviceAccountName", "containers", "volumes", "imagePullSecrets", "enableServiceLinks",
  "containerConcurrency", "timeoutSeconds", "responseStartTimeoutSeconds", "idleTimeoutSeconds"];
const KNATIVE_CONTAINER = ["name", "args", "command", "env", "workingDir", "envFrom", "image", "imagePullPolicy", "livenessProbe",
  "ports", "readinessProbe", "startupProbe", "resources", "securityContext", "volumeMounts"];

const name = (object) => `${object.kind} ${object.metadata.name}`;

/** The pods that an object of any kind makes, as { of, labels, spec }. */
function pods(objects) {
  return objects.flatMap((object) => {
    const template = object.spec?.jobTemplate?.spec?.template ?? object.spec?.template;
    return template?.spec?.containers ? [{ of: object, labels: template.metadata.labels, spec: template.spec }] : [];
  });
}

const ofKnative = (object) => object.apiVersion.startsWith("serving.knative.dev/");

/** Whether the labels are those that a selector of labels asks for. An empty one would take any pod. */
function takes(labels, wanted) {
  const entries = Object.entries(wanted ?? {});
  return entries.length > 0 && entries.every(([key, value]) => labels?.[key] === value);
}

/** What is wrong with the objects of one overlay, a sentence each; none where all is well. */
export function complaintsOfRules(objects, { settings, secretKeys, shutdownSeconds }) {
  const all = pods(objects);
  return [
    ...all.flatMap((pod) => [...restricted(pod), ...variables(pod, objects, settings, secretKeys)].map((text) => `${name(pod.of)}: ${text}`)),
    ...all.flatMap((pod) => graceful(pod, shutdownSeconds).map((text) => `${name(pod.of)}: ${text}`)),
    ...all.filter((pod) => ofKnative(pod.of)).flatMap((pod) => knative(pod).map((text) => `${name(pod.of)}: ${text}`)),
    ...objects.flatMap((object) => fits(object, objects, all).map((text) => `${name(object)}: ${text}`)),
    ...objects
      .filter((object) => object.kind === "ConfigMap")
      .flatMap((map) => Object.keys(map.data).filter((key) => !settings.has(key)).map((key) => `${name(map)}: docs/configuration.md has no ${key}`)),
  ];
}

function restricted({ spec }) {
  const complaints = [];
  for (const container of spec.containers) {
    const own = container.securityContext ?? {};
    const both = { ...spec.securityContext, ...own };
    if (both.runAsNonRoot !== true || !(both.runAsUser > 0)) complaints.push("may run as root");
    if (both.seccompProfile?.type !== "RuntimeDefault") complaints.push("no seccomp profile");
    if (own.allowPrivilegeEscalation !== false) complaints.push("may get more rights");
    if (own.readOnlyRootFilesystem !== true) complaints.push("may write to its root file system");
    if (!own.capabilities?.drop?.includes("ALL") || own.capabilities.add) complaints.push("has capabilities");
    if (!container.resources?.limits?.memory || !container.resources?.requests?.cpu) complaints.push("no bounds");
    const image = /:([\w.-]+)$/.exec(container.image)?.[1];
    if (image === undefined || image === "latest") complaints.push(`the image ${container.image} may change unseen`);
  }
  if (spec.hostNetwork || spec.hostPID || spec.hostIPC) complaints.push("shares the host");
  if (spec.volumes?.some((volume) => volume.hostPath)) complaints.push("mounts the host");
  return complaints;
}

function variables({ spec }, objects, settings, secretKeys) {
  const complaints = [];
  const maps = new Set(objects.filter((object) => object.kind === "ConfigMap").map((object) => object.metadata.name));
  const migrates = objects.every((object) => object.kind === "Job"); // it comes beside an overlay that has them
  for (const container of spec.containers) {
    for (const { configMapRef, secretRef } of container.envFrom ?? []) {
      if (configMapRef && !maps.has(configMapRef.name) && !migrates) complaints.push(`no ConfigMap ${configMapRef.name}`);
      if (secretRef && secretRef.name !== "cairn") complaints.push(`no Secret ${secretRef.name}`);
    }
    for (const { name: variable, valueFrom } of container.env ?? []) {
      const key = valueFrom?.secretKeyRef;
      if (key && (key.name !== "cairn" || !secretKeys.has(key.key))) complaints.push(`no ${key.key} in Secret ${key.name}`);
      if (container.image.startsWith("cairn:") && variable.startsWith("CAIRN_") && !settings.has(variable)) {
        complaints.push(`docs/configuration.md has no ${variable}`);
      }
    }
  }
  return complaints;
}

function graceful({ of, spec }, shutdownSeconds) {
  if (of.kind === "Deployment") {
    const before = spec.containers[0].lifecycle?.preStop?.sleep?.seconds ?? 0;
    return spec.terminationGracePeriodSeconds > before + shutdownSeconds ? [] : ["killed before it has stopped"];
  }
  if (ofKnative(of)) {
    return spec.timeoutSeconds > shutdownSeconds ? [] : ["killed before it has stopped"];
  }
  return [];
}

function knative({ spec }) {
  const others = (object, known) => Object.keys(object).filter((key) => !known.includes(key));
  return [...others(spec, KNATIVE_POD), ...spec.containers.flatMap((container) => others(container, KNATIVE_CONTAINER))]
    .map((key) => `Knative takes no ${key}`);
}

function fits(object, objects, all) {
  const is = (labels) => all.some((pod) => takes(pod.labels, labels));
  const exists = (kind, wanted) => objects.some((other) => other.kind === kind && other.metadata.name === wanted);
  const { spec } = object;
  switch (object.kind) {
    case "Service": {
      if (object.apiVersion !== "v1") return [];
      const served = all.filter((pod) => takes(pod.labels, spec.selector));
      const ports = served.flatMap((pod) => pod.spec.containers.flatMap((container) => container.ports ?? []));
      return spec.ports.every((port) => ports.some((other) => other.name === port.targetPort)) ? [] : ["selects no pod with its port"];
    }
    case "Deployment":
    case "StatefulSet":
      return takes(spec.template.metadata.labels, spec.selector.matchLabels) ? [] : ["does not select its own pods"];
    case "PodDisruptionBudget":
      return is(spec.selector.matchLabels) ? [] : ["selects no pod, or any"];
    case "NetworkPolicy":
      return is(spec.podSelector.matchLabels) ? [] : ["selects no pod, or any"];
    case "HorizontalPodAutoscaler":
    case "ScaledObject":
      return exists(spec.scaleTargetRef.kind ?? "Deployment", spec.scaleTargetRef.name) ? [] : ["scales what is not there"];
    default:
      return [];
  }
}
