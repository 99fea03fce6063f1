#!/usr/bin/env bash
# Builds etcd, kube-apiserver and kube-scheduler from their Go modules into the folder named, for the contracts that
# run on them: KUBEBUILDER_ASSETS=<folder> npx jest test/contract. Takes Go 1.25 or newer and some ten minutes.
set -euo pipefail
folder=$(realpath -m "${1:?usage: scripts/build-kubernetes.sh <folder>}")
etcd=v3.6.14
kubernetes=1.34.4

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$folder" "$work/etcd" "$work/kubernetes"

cd "$work/etcd"
cat >main.go <<'GO'
package main

import (
	"os"

	"go.etcd.io/etcd/server/v3/etcdmain"
)

func main() { etcdmain.Main(os.Args) }
GO
go mod init build/etcd
go get "go.etcd.io/etcd/server/v3@$etcd"
go build -o "$folder/etcd" .

cd "$work/kubernetes"
go mod init build/kubernetes
go mod edit -require "k8s.io/kubernetes@v$kubernetes"
go mod download "k8s.io/kubernetes@v$kubernetes"
source=$(go list -m -f '{{.Dir}}' "k8s.io/kubernetes@v$kubernetes")
# The parts of Kubernetes that it takes from its own tree are published as modules of version 0.x.
for part in $(grep -oE 'k8s.io/[a-z-]+ (v0\.0\.0$|=> \./staging)' "$source/go.mod" | cut -d' ' -f1 | sort -u); do
  go mod edit -replace "$part=$part@v${kubernetes/#1./0.}"
done
for name in apiserver:APIServer scheduler:Scheduler; do
  program=kube-${name%%:*}
  mkdir "$program"
  cat >"$program/main.go" <<GO
package main

import (
	"os"

	"k8s.io/component-base/cli"
	_ "k8s.io/component-base/logs/json/register"
	"k8s.io/kubernetes/cmd/$program/app"
)

func main() { os.Exit(cli.Run(app.New${name##*:}Command())) }
GO
done
go mod tidy
version=k8s.io/component-base/version
flags="-X $version.gitVersion=v$kubernetes -X $version.gitMajor=1 -X $version.gitMinor=$(cut -d. -f2 <<<"$kubernetes")"
for program in kube-apiserver kube-scheduler; do
  go build -ldflags "$flags" -o "$folder/$program" "./$program"
done
ls -l "$folder"
