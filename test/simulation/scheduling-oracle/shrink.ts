/** Attempts at most: a scenario has a few hundred parts, and most of them go in the first rounds. */
const ATTEMPTS_MAX = 20_000;

/** The smallest scenario found that still shows a fault: parts are left out as long as one does. */
export function shrink<Scenario extends object>(
  scenario: Scenario,
  isFaulty: (candidate: Scenario) => boolean,
): Scenario {
  let smallest = structuredClone(scenario);
  let attempts = 0;
  let isShrinking = true;
  while (isShrinking) {
    isShrinking = false;
    for (const path of pathsOf(smallest)) {
      if (attempts++ >= ATTEMPTS_MAX) return smallest;
      const candidate = structuredClone(smallest);
      if (!dropAt(candidate, path) || !holds(isFaulty, candidate)) continue;
      smallest = candidate;
      isShrinking = true;
    }
  }
  return smallest;
}

/** A scenario that has lost what it can't do without shows nothing. */
function holds<Scenario>(isFaulty: (candidate: Scenario) => boolean, candidate: Scenario): boolean {
  try {
    return isFaulty(candidate);
  } catch {
    return false;
  }
}

type Path = readonly string[];

/** Whole things before their parts, the last of a list first. */
function pathsOf(scenario: object): Path[] {
  const paths: Path[] = [];
  const walk = (value: unknown, path: Path): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, part] of Object.entries(value).reverse()) {
      if (path.length > 0 && !isNeeded(path, key)) paths.push([...path, key]);
      walk(part, [...path, key]);
    }
  };
  walk(scenario, []);
  return paths.sort((left, right) => left.length - right.length);
}

/** Lists that the comparison itself walks, names, and what makes a step a step. */
function isNeeded(path: Path, key: string): boolean {
  if (path.length === 1) return path[0] === 'cluster' || path[0] === 'options';
  if (['metadata', 'name', 'uid', 'namespace', 'spec', 'maxSkew'].includes(key)) return true;
  return path[0] === 'steps' && path.length === 2;
}

/** False where an earlier removal has taken the parent away. */
function dropAt(root: unknown, path: Path): boolean {
  let parent = root as Record<string, unknown> | undefined;
  for (const key of path.slice(0, -1)) parent = parent?.[key] as Record<string, unknown> | undefined;
  const key = path[path.length - 1];
  if (parent == null || key === undefined || !Object.hasOwn(parent, key)) return false;
  if (Array.isArray(parent)) parent.splice(Number(key), 1);
  else Reflect.deleteProperty(parent, key);
  return true;
}
