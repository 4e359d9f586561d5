#!/usr/bin/env bash
# A Slurm cluster with two nodes on this machine, for tests: cluster.sh start FOLDER | stop FOLDER. Its daemons listen on
# the loopback interface only; all their files are in FOLDER. Needs root and the Debian packages slurmctld, slurmd and
# munge. With SLURM_CONF=FOLDER/slurm.conf, the commands of Slurm use it.
set -euo pipefail
action=$1
folder=$(realpath -m "$2")
nodes=(n1 n2)

write_configuration() {
  mkdir -p "$folder"/{state,spool,munge}
  chmod 755 "$folder"
  chmod 700 "$folder/munge"
  head -c 1024 /dev/urandom >"$folder/munge/key"
  chmod 400 "$folder/munge/key"
  cat >"$folder/slurm.conf" <<CONF
ClusterName=test
SlurmctldHost=$(hostname -s)(127.0.0.1)
SlurmctldPort=${CONTROL_PORT:-26817}
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$folder/munge/socket,cred_expire=5
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool/%n
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd-%n.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd-%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=bf_interval=2,sched_min_interval=500000
SlurmdParameters=config_overrides
ReturnToService=2
KillWait=2
MinJobAge=3600
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
NodeName=n1 NodeHostname=$(hostname -s) NodeAddr=127.0.0.1 Port=27001 CPUs=2 RealMemory=2000 State=UNKNOWN
NodeName=n2 NodeHostname=$(hostname -s) NodeAddr=127.0.0.1 Port=27002 CPUs=2 RealMemory=2000 State=UNKNOWN
PartitionName=farm Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF
}

start() {
  write_configuration
  export SLURM_CONF=$folder/slurm.conf
  munged --key-file="$folder/munge/key" --socket="$folder/munge/socket" --pid-file="$folder/munge/pid" \
    --log-file="$folder/munge/log" --seed-file="$folder/munge/seed" --force
  slurmctld -f "$SLURM_CONF" -c
  for node in "${nodes[@]}"; do
    mkdir -p "$folder/spool/$node"
    slurmd -f "$SLURM_CONF" -N "$node" -c
  done
  for _ in $(seq 60); do
    [ "$(sinfo -h -N -o %T 2>/dev/null | grep -c '^idle$')" -ge "${#nodes[@]}" ] && return
    sleep 1
  done
  echo "cluster.sh: the nodes did not come up; see $folder/*.log" >&2
  exit 1
}

# Ends only the processes that start() started.
stop() {
  local file pid
  for file in "$folder"/slurmd-*.pid "$folder/slurmctld.pid" "$folder/munge/pid"; do
    [ -f "$file" ] || continue
    pid=$(cat "$file")
    kill "$pid" 2>/dev/null || true
    for _ in $(seq 50); do
      kill -0 "$pid" 2>/dev/null || break
      sleep 0.1
    done
  done
}

case $action in
start) start ;;
stop) stop ;;
*) echo "usage: cluster.sh start|stop FOLDER" >&2 && exit 1 ;;
esac
