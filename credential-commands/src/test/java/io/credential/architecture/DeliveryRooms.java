package io.credential.architecture;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;

/** The packages of the dispatcher, between the class that assembles it and the types that users see. */
final class DeliveryRooms {

    /** Assembles the dispatcher; it lies beside the checks of what users pass. */
    private static final String ENTRANCE = "JdbcWebhookDispatcher";

    /** What users see, and its checks: records, errors, interfaces. */
    private static final String VISIBLE = "visible";

    /** Each uses only those behind it. */
    private static final List<String> ORDER =
            List.of(ENTRANCE, "history", "outbox", "engine", "attempt", "endpoint", "statistics", "queue", VISIBLE);

    private final String home;

    DeliveryRooms(String root) {
        this.home = root + ".webhook.delivery";
    }

    ArchCondition<JavaClass> leadOneWay() {
        return new ArchCondition<>("use only rooms behind their own, in the order " + ORDER) {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                events.add(new SimpleConditionEvent(
                        type, ORDER.contains(room(type)), type.getName() + " lies in a room that no rule knows"));
                dependencies(type)
                        .forEach(arrow -> events.add(new SimpleConditionEvent(
                                type,
                                ORDER.indexOf(room(arrow.getOriginClass()))
                                        <= ORDER.indexOf(room(arrow.getTargetClass())),
                                arrow.getDescription())));
            }
        };
    }

    /** The arrows between the packages, as {@code engine --> queue}; everything may use what users see. */
    Set<String> arrows(JavaClasses classes) {
        Set<String> arrows = new TreeSet<>();
        classes.stream().flatMap(this::dependencies).forEach(arrow -> {
            String from = room(arrow.getOriginClass());
            String to = room(arrow.getTargetClass());
            if (!from.equals(to) && !to.equals(VISIBLE)) {
                arrows.add(from + " --> " + to);
            }
        });
        return arrows;
    }

    private Stream<Dependency> dependencies(JavaClass type) {
        return isInside(type)
                ? type.getDirectDependenciesFromSelf().stream().filter(arrow -> isInside(arrow.getTargetClass()))
                : Stream.empty();
    }

    private boolean isInside(JavaClass type) {
        return (type.getPackageName() + ".").startsWith(home + ".");
    }

    private String room(JavaClass type) {
        String name = type.getPackageName();
        String internals = home + ".internal";
        if (!name.equals(home) && !name.equals(internals)) {
            return name.startsWith(internals) ? name.substring(internals.length() + 1) : name;
        }
        return type.getName().startsWith(internals + "." + ENTRANCE) ? ENTRANCE : VISIBLE;
    }
}
