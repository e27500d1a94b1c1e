package io.credential.benchmarks.console;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.springframework.jdbc.core.simple.JdbcClient;

import io.credential.benchmarks.BenchmarkDatabase;
import io.credential.benchmarks.host.HostProcess;

/** The processor time of a host application and of the processes of PostgreSQL that work for it. */
record ProcessorTime(HostProcess host, BenchmarkDatabase database) {

    private static final double PERCENT = 100;

    /** Returns which share of all processors is used during a time, in percent. */
    double percent(Duration during) throws InterruptedException {
        Map<Long, Duration> servers = ofServers();
        Duration application = host.processorTime();
        long start = System.nanoTime();
        TimeUnit.NANOSECONDS.sleep(during.toNanos());
        Duration used = host.processorTime().minus(application);
        double elapsed = System.nanoTime() - start;
        for (Map.Entry<Long, Duration> server : ofServers().entrySet()) {
            used = used.plus(server.getValue()).minus(servers.getOrDefault(server.getKey(), Duration.ZERO));
        }
        return PERCENT * used.toNanos() / elapsed / Runtime.getRuntime().availableProcessors();
    }

    /** By the id of the process; those that have ended meanwhile are missing. */
    private Map<Long, Duration> ofServers() {
        Map<Long, Duration> times = new HashMap<>();
        JdbcClient.create(database.control())
                .sql("select pid from pg_stat_activity where pid <> pg_backend_pid()")
                .query(Long.class)
                .list()
                .forEach(pid -> ProcessHandle.of(pid)
                        .flatMap(process -> process.info().totalCpuDuration())
                        .ifPresent(time -> times.put(pid, time)));
        return times;
    }
}
