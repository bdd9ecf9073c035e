// SPDX-License-Identifier: GPL-2.0
/*
 * What a Raspberry Pi's device tree says of the model, in /proc/device-tree, on a machine that has no device tree.
 *
 * It is of the kernel, and so is seen in every mount of procfs: a hardened service has one of its own.
 */
#include <linux/module.h>
#include <linux/proc_fs.h>
#include <linux/seq_file.h>

static const char model[] = "Raspberry Pi 4 Model B Rev 1.1"; /* ends with a zero, as there */
static const u8 revision[] = { 0x00, 0xc0, 0x31, 0x11 };

static int model_show(struct seq_file *file, void *unused)
{
	return seq_write(file, model, sizeof(model));
}

static int revision_show(struct seq_file *file, void *unused)
{
	return seq_write(file, revision, sizeof(revision));
}

static int __init pi_init(void)
{
	struct proc_dir_entry *tree = proc_mkdir("device-tree", NULL);
	struct proc_dir_entry *system = tree ? proc_mkdir("system", tree) : NULL;

	if (!system || !proc_create_single("model", 0444, tree, model_show) ||
	    !proc_create_single("linux,revision", 0444, system, revision_show))
		return -ENOMEM;
	return 0;
}

module_init(pi_init);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Raspberry Pi's device tree for tests");
