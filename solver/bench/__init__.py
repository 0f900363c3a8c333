"""How fast it is: workloads, timing, peers, ablation, start-up."""
