/**
 * What keeps a release from being published, a line each; none if it can be.
 * @param {object} facts
 * @param {string} facts.status of `git status --porcelain`
 * @param {readonly string[]} facts.tags of git
 * @param {string} facts.changelog
 * @param {{ version: string, repository?: unknown }} facts.project the manifest of the root
 * @param {ReadonlyMap<string, { name: string, version: string, dependencies?: Readonly<Record<string, string>> }>} facts.manifests of
 * the workspace, by folder
 * @returns {string[]}
 */
export function releaseProblems({ status, tags, changelog, project, manifests }) {
  const { version, repository } = project
  const problems = []
  if (status.trim() !== '') problems.push(`the working tree has changes: commit them\n${indented(status)}`)
  if (!/^\d+\.\d+\.\d+$/.test(version)) problems.push(`package.json: \`${version}\` is no release version`)
  if (tags.includes(`v${version}`)) problems.push(`the tag \`v${version}\` exists: raise the version`)
  if (repository === undefined)
    problems.push(
      'package.json has no `repository`: add its URL, which provenance is checked against and links in the readme lead to',
    )
  problems.push(...changelogProblems(changelog, version))
  for (const [folder, { version: own, dependencies = {} }] of manifests) {
    if (own !== version) problems.push(`${folder}/package.json: version \`${own}\`, not \`${version}\``)
    for (const [library, range] of Object.entries(dependencies))
      if (library.startsWith('@plimsoll/') && range !== version)
        problems.push(`${folder}/package.json: \`${library}\` is \`${range}\`, not \`${version}\``)
  }
  return problems
}

function changelogProblems(changelog, version) {
  const [, title = ''] = /^## (.*)$/m.exec(changelog) ?? []
  const [, first, date] = /^(\S+) \((.*)\)$/.exec(title) ?? []
  if (first !== version) return [`CHANGELOG.md begins with \`${title}\`, not with \`${version}\``]
  if (!/^\d{4}-\d\d-\d\d$/.test(date)) return [`CHANGELOG.md: \`${title}\`: write the date of the release`]
  return []
}

const indented = (text) => text.trimEnd().replaceAll(/^/gm, '  ')
