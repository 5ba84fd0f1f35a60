// Network namespaces that reach this one over a bridge: machines of a fleet on one machine.
import { execFileSync } from 'node:child_process';
import { userInfo } from 'node:os';

const ip = (...args) => execFileSync('ip', args, { stdio: ['ignore', 'ignore', 'pipe'] });

/** Why no namespaces can be made here; `null` when nothing keeps from it. */
export function whyNoNamespaces() {
  if (userInfo().uid !== 0) return 'network namespaces need root';
  const name = `dhn${process.pid}`;
  try {
    ip('netns', 'add', name);
    ip('link', 'add', name.slice(0, 15), 'type', 'bridge');
    ip('link', 'del', name.slice(0, 15));
    ip('netns', 'del', name);
    return null;
  } catch (error) {
    return `network namespaces cannot be made here (${String(error.stderr ?? error.message).trim()})`;
  }
}

/**
 * Makes `count` namespaces.
 *
 * @returns the `address` of this machine on their network, the `network`, the `names` to be put behind `ip netns exec`, `cut(index)` and
 *   `mend(index)`, which take one off the network and bring it back, and `remove()`
 */
export function makeNamespaces(count) {
  const tag = `dh${process.pid % 100000}`;
  // Of the range for tests of networks (RFC 2544), so that it is nobody's.
  const prefix = `198.18.${process.pid % 256}`;
  const names = Array.from({ length: count }, (_, index) => `${tag}n${index + 1}`);
  const bridge = `${tag}b`;
  const remove = () => {
    for (const name of names) {
      try {
        ip('netns', 'del', name);
      } catch {
        // It was not made.
      }
    }
    try {
      ip('link', 'del', bridge);
    } catch {
      // It was not made.
    }
  };
  try {
    ip('link', 'add', bridge, 'type', 'bridge');
    ip('addr', 'add', `${prefix}.1/24`, 'dev', bridge);
    ip('link', 'set', bridge, 'up');
    for (const [index, name] of names.entries()) {
      ip('netns', 'add', name);
      ip('link', 'add', `${tag}v${index + 1}`, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name);
      ip('link', 'set', `${tag}v${index + 1}`, 'master', bridge, 'up');
      ip('-n', name, 'addr', 'add', `${prefix}.${index + 11}/24`, 'dev', 'eth0');
      ip('-n', name, 'link', 'set', 'eth0', 'up');
      ip('-n', name, 'link', 'set', 'lo', 'up');
    }
  } catch (error) {
    remove();
    throw error;
  }
  const turn = (index, how) => ip('link', 'set', `${tag}v${index + 1}`, how);
  return {
    address: `${prefix}.1`,
    network: `${prefix}.0/24`,
    names,
    cut: (index) => turn(index, 'down'),
    mend: (index) => turn(index, 'up'),
    remove,
  };
}
